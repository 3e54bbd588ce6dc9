import {
  addManualTime,
  changeManualTime,
  getSubjects,
  MINUTE_MS,
  type OwnSubjects,
  type SubjectId,
  type Timetable,
  type TimetablePart,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { dateFormat } from '../../shared/i18n/date-format.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { SelectField } from '../../shared/ui/inputs.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { statisticsCall } from './use-statistics.ts';

const DAY_MINUTES = 24 * 60;

/** A time of the clock on the learner's wall, as HH:MM. */
function wallTime(ms: number, timeZone: string): string {
  return dateFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(ms);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The moment of a time of the day; times before the start of the day are of the following date. */
export function momentOf({ dayStartsAtMs, timeZone }: Timetable, time: string): number {
  const start = minutesOf(wallTime(dayStartsAtMs, timeZone));
  const after = (minutesOf(time) - start + DAY_MINUTES) % DAY_MINUTES;
  const guess = dayStartsAtMs + after * MINUTE_MS;
  // On a day that is set to summer time, or back.
  const off = minutesOf(time) - minutesOf(wallTime(guess, timeZone));
  return guess + off * MINUTE_MS;
}

interface ManualFormProps {
  readonly userId: UserId;
  readonly timetable: Timetable;
  /** The stretch to correct; null for a new one. */
  readonly part: TimetablePart | null;
  readonly onDone: () => void;
}

/** Enters study time of a day by hand, or corrects it. */
export function ManualForm({ userId, timetable, part, onDone }: ManualFormProps) {
  const { t } = useTranslation(statisticsTexts);
  const subjects = useLoaded(['learner', userId, 'subjects'], (signal) =>
    call(getSubjects, {}, { signal }),
  );
  const timeOf = (ms: number | undefined) =>
    ms === undefined ? '' : wallTime(ms, timetable.timeZone);
  const form = useForm({
    initial: {
      from: timeOf(part?.startedAtMs),
      to: timeOf(part?.endedAtMs),
      subject: String(part?.subjectId ?? ''),
    },
    check: ({ from, to }) => ({
      from: from === '' ? t('manual.timeMissing') : undefined,
      to: to === '' ? t('manual.timeMissing') : undefined,
    }),
    send: async ({ from, to, subject }) => {
      const startedAtMs = momentOf(timetable, from);
      const end = momentOf(timetable, to);
      const body = {
        startedAtMs,
        // The end of the day has the time of its beginning.
        endedAtMs: end === timetable.dayStartsAtMs ? timetable.dayEndsAtMs : end,
        subjectId: subject === '' ? null : (Number(subject) as SubjectId),
      };
      const manualId = part?.manualId;
      if (manualId) await call(changeManualTime, { params: { manualId }, body }, statisticsCall());
      else await call(addManualTime, { body }, statisticsCall());
      onDone();
    },
  });
  return (
    <form {...form.props} className="grid gap-4 rounded-medium bg-raised p-4">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] items-start gap-3">
        <TextField {...form.field('from')} label={t('manual.from')} type="time" />
        <TextField {...form.field('to')} label={t('manual.to')} type="time" />
      </div>
      <SubjectChoice field={form.field('subject')} subjects={subjects.value?.subjects ?? []} />
      <p className="text-caption text-ink-soft">{t('manual.rule')}</p>
      <FormError {...form.formError} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" variant="primary" loading={form.isSending}>
          {t('manual.save')}
        </Button>
        <Button size="small" variant="quiet" onClick={onDone}>
          {t('manual.cancel')}
        </Button>
      </div>
    </form>
  );
}

interface SubjectChoiceProps {
  readonly field: Readonly<Record<string, unknown>>;
  readonly subjects: OwnSubjects['subjects'];
}

function SubjectChoice({ field, subjects }: SubjectChoiceProps) {
  const { t } = useTranslation(statisticsTexts);
  if (subjects.length === 0) return null;
  return (
    <SelectField {...field} label={t('manual.subject')}>
      <option value="">{t('manual.noSubject')}</option>
      {subjects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
