import type { QuietHours } from '@mogakgong/contract';
import { timeOfDayText } from '../../shared/clock/index.ts';
import { pushTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Checkbox, NotedLabel } from '../../shared/ui/checkbox.tsx';
import { SelectField } from '../../shared/ui/inputs.tsx';

const HALF_HOURS = Array.from({ length: 48 }, (_, index) => index * 30);
const AT_FIRST: QuietHours = { fromMinute: 23 * 60, toMinute: 7 * 60 };

interface QuietFieldsProps {
  readonly quiet: QuietHours | null;
  readonly onChange: (quiet: QuietHours | null) => void;
}

/** The hours of each day in which nothing is sent, by the learner's clock. */
export function QuietFields({ quiet, onChange }: QuietFieldsProps) {
  const { t } = useTranslation(pushTexts);
  return (
    <div className="grid gap-3">
      <Checkbox
        label={<NotedLabel label={t('push.quiet')} note={t('push.quietNote')} />}
        checked={quiet !== null}
        onChange={(event) => onChange(event.target.checked ? AT_FIRST : null)}
      />
      {quiet && (
        <div className="grid max-w-sm grid-cols-2 gap-3 pl-8">
          <TimeField
            label={t('push.quietFrom')}
            minute={quiet.fromMinute}
            onChange={(fromMinute) => onChange({ ...quiet, fromMinute })}
          />
          <TimeField
            label={t('push.quietTo')}
            minute={quiet.toMinute}
            onChange={(toMinute) => onChange({ ...quiet, toMinute })}
          />
        </div>
      )}
    </div>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly minute: number;
  readonly onChange: (minute: number) => void;
}

function TimeField({ label, minute, onChange }: TimeFieldProps) {
  return (
    <SelectField
      label={label}
      value={minute}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {HALF_HOURS.map((minutes) => (
        <option key={minutes} value={minutes}>
          {timeOfDayText(minutes)}
        </option>
      ))}
    </SelectField>
  );
}
