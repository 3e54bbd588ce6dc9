import { useId } from 'react';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Select } from '../../shared/ui/inputs.tsx';
import { targetText } from './goal-ring.tsx';

/** What is offered, in minutes: finer where days are short. */
const TARGETS = [30, 60, 90, 120, 150, 180, 240, 300, 360, 420, 480, 540, 600, 720, 840];

interface TargetFieldProps {
  readonly targetMinutes: number | null;
  readonly onChange: (targetMinutes: number | null) => void;
}

/** How much focus a day is to hold. */
export function TargetField({ targetMinutes, onChange }: TargetFieldProps) {
  const { t } = useTranslation(focusTexts);
  const id = useId();
  const isOffered = targetMinutes === null || TARGETS.includes(targetMinutes);
  const offered = isOffered ? TARGETS : [...TARGETS, targetMinutes].sort((a, b) => a - b);
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold text-caption">
        {t('goal.target')}
      </label>
      <Select
        id={id}
        value={targetMinutes ?? ''}
        onChange={({ target: { value } }) => onChange(value === '' ? null : Number(value))}
      >
        <option value="">{t('goal.none')}</option>
        {offered.map((minutes) => (
          <option key={minutes} value={minutes}>
            {targetText(t, minutes)}
          </option>
        ))}
      </Select>
    </div>
  );
}
