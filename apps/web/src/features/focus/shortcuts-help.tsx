import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { turnShortcuts, useShortcutsOn } from './shortcuts.ts';

const KEYS = [
  ['B', 'keys.break'],
  ['A', 'keys.away'],
  ['?', 'keys.help'],
] as const;

interface ShortcutsHelpProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The keys of the room, and the switch that turns them off. */
export function ShortcutsHelp({ open, onClose }: ShortcutsHelpProps) {
  const { t } = useTranslation(focusTexts);
  const isOn = useShortcutsOn();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('keys.title')}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2.5 text-small">
        {KEYS.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="grid size-8 place-items-center rounded-small border border-line-strong font-sans font-semibold text-ink">
                {key}
              </kbd>
            </dt>
            <dd className="text-ink">{t(what)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 mb-3 text-caption">{t('keys.note')}</p>
      <Checkbox
        label={t('keys.on')}
        checked={isOn}
        onChange={(event) => turnShortcuts(event.target.checked)}
      />
    </Dialog>
  );
}
