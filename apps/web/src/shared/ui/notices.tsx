import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { type Notice, notify, useNotices } from './notify.ts';
import { Toasts } from './toasts.tsx';

/** Shows the notices of `notify`. Mounted once. */
export function Notices() {
  const dialogs = useNotices((state) => state.dialogs);
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path means that a page was left
  useEffect(() => notify.dismissLeftToasts(), [path]);
  const [first] = dialogs;
  return (
    <>
      {first && <NoticeDialog key={first.id} notice={first} />}
      <Toasts windowId={null} />
    </>
  );
}

function NoticeDialog({ notice }: { readonly notice: Notice }) {
  const { t } = useTranslation();
  const actions = (
    <>
      {notice.cancelLabel && (
        <Button onClick={() => notice.answer(false)}>{notice.cancelLabel}</Button>
      )}
      <Button variant="primary" onClick={() => notice.answer(true)}>
        {notice.confirmLabel ?? t('common.confirm')}
      </Button>
    </>
  );
  return (
    <Dialog
      role="alertdialog"
      title={notice.title ?? notice.text}
      onClose={() => notice.answer(false)}
      actions={actions}
    >
      {notice.title && <p className="whitespace-pre-line">{notice.text}</p>}
      {notice.points && (
        <ul className="mt-3 grid list-disc gap-1.5 pl-5">
          {notice.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
