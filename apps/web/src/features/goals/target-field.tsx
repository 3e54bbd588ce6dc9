import { MINUTE_MS } from '@mogakgong/contract';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { planTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { SelectField } from '../../shared/ui/inputs.tsx';

interface TargetFieldProps {
  readonly label: string;
  /** The targets on offer, in minutes. */
  readonly offered: readonly number[];
  /** In minutes; null for none. */
  readonly value: number | null;
  readonly onChange: (minutes: number | null) => void;
}

/** The choice of a focus target; one that is not on offer is listed too. */
export function TargetField({ label, offered, value, onChange }: TargetFieldProps) {
  const { t } = useTranslation(planTexts);
  const targets = [...new Set([...offered, ...(value === null ? [] : [value])])].sort(
    (a, b) => a - b,
  );
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">{t('goal.none')}</option>
      {targets.map((minutes) => (
        <option key={minutes} value={minutes}>
          {durationText(t, minutes * MINUTE_MS)}
        </option>
      ))}
    </SelectField>
  );
}
