import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import {
  chooseAmbientSound,
  setAmbientVolume,
  toggleAmbient,
  useAmbient,
} from './ambient-player.ts';
import { ambientSounds } from './noise.ts';

/** A background sound that only the learner hears. */
export function AmbientSection() {
  const { t } = useTranslation(roomTexts);
  const { sound, volume, state } = useAmbient();
  return (
    <section aria-label={t('ambient.title')} className="grid gap-4">
      <h3 className="font-bold text-small">{t('ambient.title')}</h3>
      <Checkbox
        label={
          <>
            {t('ambient.on')}
            <span className="block text-caption text-ink-soft">{t('ambient.note')}</span>
          </>
        }
        aria-keyshortcuts="S"
        checked={state === 'playing'}
        error={state === 'failed' ? t('ambient.failed') : undefined}
        onChange={toggleAmbient}
      />
      <Choice
        label={t('ambient.sound')}
        options={ambientSounds.map((value) => ({ value, label: t(`ambient.${value}`) }))}
        value={sound}
        onChange={chooseAmbientSound}
      />
      <label className="grid gap-1 font-semibold text-small">
        {t('ambient.volume')}
        <input
          type="range"
          min="0.05"
          max="1"
          step="0.05"
          value={volume}
          className="h-11 w-full cursor-pointer accent-primary"
          onChange={(event) => setAmbientVolume(event.target.valueAsNumber)}
        />
      </label>
    </section>
  );
}
