import { helpTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox, NotedLabel } from '../../shared/ui/checkbox.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { useShortcutsSetting } from './shortcuts.tsx';

const KEYS = [
  ['B', 'keys.break'],
  ['A', 'keys.away'],
  ['C', 'keys.subject'],
  ['M', 'keys.miniRoom'],
  ['S', 'keys.ambient'],
  ['W', 'keys.board'],
  ['T', 'keys.today'],
  ['F', 'keys.fullScreen'],
  ['V', 'keys.selfView'],
  ['N', 'keys.nod'],
  ['Enter', 'keys.enlarge'],
  ['Esc', 'keys.reduce'],
  ['?', 'keys.help'],
] as const;

/** The room's shortcuts, and the switch that turns them off. */
export function ShortcutsHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(helpTexts);
  return (
    <Dialog
      onClose={onClose}
      title={t('keys.title')}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <dl className="mb-4 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 text-small">
        {KEYS.map(([key, action]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="grid h-7 min-w-7 px-1.5 place-items-center rounded-small border border-line-strong font-sans font-semibold text-ink">
                {key}
              </kbd>
            </dt>
            <dd className="text-ink">{t(action)}</dd>
          </div>
        ))}
      </dl>
      <ShortcutsSwitch note={t('keys.note')} />
    </Dialog>
  );
}

/** Turns the room's shortcuts off in this browser. */
export function ShortcutsSwitch({ note }: { readonly note: string }) {
  const { t } = useTranslation(helpTexts);
  const { isOn } = useShortcutsSetting();
  return (
    <Checkbox
      label={<NotedLabel label={t('keys.on')} note={note} />}
      checked={isOn}
      onChange={(event) => useShortcutsSetting.setState({ isOn: event.target.checked })}
    />
  );
}
