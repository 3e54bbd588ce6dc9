import { optionsTexts } from '../../shared/i18n/options-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Checkbox, NotedLabel } from '../../shared/ui/checkbox.tsx';
import { useSaveData, useSavingReason } from './save-data.ts';

/** Data saving for pictures: its state, reason and switch. */
export function DataSection() {
  const { t } = useTranslation(optionsTexts);
  const { choice, isAutomatic } = useSaveData();
  const reason = useSavingReason();
  return (
    <section aria-label={t('data.title')} className="grid gap-4">
      <h3 className="font-bold text-small">{t('data.title')}</h3>
      <Checkbox
        label={<NotedLabel label={t('data.save')} note={t('data.saveNote')} />}
        checked={choice ?? reason === 'browser'}
        onChange={(event) => useSaveData.setState({ choice: event.target.checked })}
      />
      <Checkbox
        label={<NotedLabel label={t('data.automatic')} note={t('data.automaticNote')} />}
        checked={isAutomatic}
        onChange={(event) => useSaveData.setState({ isAutomatic: event.target.checked })}
      />
      <p role="status" className="text-caption text-ink-soft">
        {t(reason === null ? 'data.saving.none' : `data.saving.${reason}`)}
      </p>
    </section>
  );
}
