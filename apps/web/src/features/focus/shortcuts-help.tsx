import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { useShortcutsSetting } from './shortcuts.tsx';

const KEYS = [
  ['B', 'keys.break'],
  ['A', 'keys.away'],
  ['M', 'keys.miniRoom'],
  ['S', 'keys.ambient'],
  ['W', 'keys.board'],
  ['T', 'keys.today'],
  ['F', 'keys.fullScreen'],
  ['Z', 'keys.focusMode'],
  ['V', 'keys.selfView'],
  ['N', 'keys.nod'],
  ['Enter', 'keys.enlarge'],
  ['Esc', 'keys.reduce'],
  ['?', 'keys.help'],
] as const;

/** The room's shortcuts in a dialog. */
export function ShortcutsHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(focusTexts);
  return (
    <Dialog
      onClose={onClose}
      title={t('keys.title')}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <ShortcutsFields />
    </Dialog>
  );
}

/** The same among the learner's settings in the room. */
export function KeysSection() {
  const { t } = useTranslation(focusTexts);
  return (
    <section aria-label={t('keys.title')} className="grid gap-4">
      <h3 className="font-bold text-small">{t('keys.title')}</h3>
      <ShortcutsFields />
    </section>
  );
}

/** The room's shortcuts, and the switch that turns them off in this browser. */
export function ShortcutsFields() {
  const { t } = useTranslation(focusTexts);
  const { isOn } = useShortcutsSetting();
  return (
    <div>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 text-small">
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
      <p className="mt-4 mb-3 text-caption">{t('keys.note')}</p>
      <Checkbox
        label={t('keys.on')}
        checked={isOn}
        onChange={(event) => useShortcutsSetting.setState({ isOn: event.target.checked })}
      />
    </div>
  );
}
