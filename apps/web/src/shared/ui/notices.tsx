import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { CloseButton } from './close-button.tsx';
import { Dialog } from './dialog.tsx';
import { type Notice, notify, type ToastMessage } from './notify.ts';

/** Shows what `notify` was told. Once in the application. */
export function Notices() {
  const { dialogs, toasts } = useSyncExternalStore(notify.subscribe, notify.state, notify.state);
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path means that a page was left
  useEffect(() => notify.dismissLeftToasts(), [path]);
  const [first] = dialogs;
  return (
    <>
      {first && <NoticeDialog key={first.id} notice={first} />}
      <div
        role="status"
        data-toasts
        className="pointer-events-none fixed inset-x-0 top-16 z-50 grid justify-items-center gap-2 px-4 py-3"
      >
        {toasts.map((toast) => (
          <Toast key={toast.id} toast={toast} />
        ))}
      </div>
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
      <Button variant={notice.danger ? 'danger' : 'primary'} onClick={() => notice.answer(true)}>
        {notice.confirmLabel ?? t('common.confirm')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      role="alertdialog"
      title={notice.title ?? t('brand.name')}
      onClose={() => notice.answer(false)}
      actions={actions}
    >
      <p className="whitespace-pre-line">{notice.text}</p>
    </Dialog>
  );
}

const TONE_ICONS = {
  plain: null,
  good: <CircleCheck size={20} aria-hidden="true" className="shrink-0 text-focus" />,
  bad: <CircleAlert size={20} aria-hidden="true" className="shrink-0 text-danger" />,
} as const;

function Toast({ toast }: { readonly toast: ToastMessage }) {
  return (
    <div className="toast pointer-events-auto flex max-w-[min(32rem,100%)] items-center gap-3 rounded-medium border border-line bg-surface py-2 pr-2 pl-4 text-small shadow-float">
      {TONE_ICONS[toast.tone]}
      <p className="min-w-0 flex-1 py-1">{toast.text}</p>
      <CloseButton size="small" onClick={() => notify.dismissToast(toast.id)} />
    </div>
  );
}
