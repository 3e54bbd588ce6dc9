import { accountTexts, roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Choice } from '../../shared/ui/choice.tsx';
import { savingModes, useSaveData, useSavingReason } from './save-data.ts';

/** When data is saved, and its present state. */
export function SavingChoice() {
  const { t } = useTranslation(accountTexts);
  const { mode } = useSaveData();
  return (
    <div className="grid gap-3">
      <Choice
        label={t('saving.save')}
        options={savingModes.map((value) => ({ value, label: t(`saving.${value}`) }))}
        value={mode}
        onChange={(chosen) => useSaveData.setState({ mode: chosen })}
      />
      <p className="text-caption text-ink-soft">{t('saving.note')}</p>
      <SavingNote />
    </div>
  );
}

/** Why data is being saved; empty while it is not. */
export function SavingNote() {
  const { t } = useTranslation(roomTexts);
  const reason = useSavingReason();
  return (
    <p role="status" className="text-caption text-ink-soft empty:sr-only">
      {reason && t(`data.saving.${reason}`)}
    </p>
  );
}
