import {
  daysUntil,
  dCount,
  EXAM_DAYS_MAX,
  EXAM_NAME_MAX_LENGTH,
  type ExamDay,
  examName,
  nextExam,
  type StudyDay,
} from '@mogakgong/contract';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { useForm } from '../../shared/form/use-form.ts';
import { dayLabel } from '../../shared/i18n/date-format.ts';
import { planTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import type { PlanPartProps } from './plan-ahead.tsx';

/** The days that the learner counts down to; the next one is also on /main and in the room. */
export function ExamDays({ goal: { exams, day: today }, change }: PlanPartProps) {
  const { t } = useTranslation(planTexts);
  const next = nextExam(exams, today);
  const inOrder = exams.toSorted(
    (one, other) => orderOf(one, today) - orderOf(other, today) || daysUntil(other.day, one.day),
  );
  return (
    <Panel title={t('exams.title')} lead={t('exams.lead')}>
      {inOrder.length > 0 && (
        <ul className="grid">
          {inOrder.map((exam) => (
            <ExamRow
              key={`${exam.day} ${exam.name}`}
              exam={exam}
              today={today}
              isNext={exam.day === next?.day && exam.name === next.name}
              onRemove={() => change({ exams: exams.filter((one) => one !== exam) })}
            />
          ))}
        </ul>
      )}
      {exams.length < EXAM_DAYS_MAX ? (
        <NewExam today={today} onAdd={(exam) => change({ exams: [...exams, exam] })} />
      ) : (
        <p className="text-small">{t('exams.full', { max: EXAM_DAYS_MAX })}</p>
      )}
    </Panel>
  );
}

/** Past exams come after those to come. */
const orderOf = ({ day }: ExamDay, today: StudyDay) => (day < today ? 1 : 0);

interface ExamRowProps {
  readonly exam: ExamDay;
  readonly today: StudyDay;
  readonly isNext: boolean;
  readonly onRemove: () => void;
}

function ExamRow({ exam: { name, day }, today, isNext, onRemove }: ExamRowProps) {
  const { t, language } = useTranslation(planTexts);
  return (
    <li className="flex items-center gap-4 border-line border-t py-2.5 first:border-t-0">
      <span
        className={`min-w-18 font-bold tabular-nums ${isNext ? 'text-lead text-lamp-ink' : 'text-ink-soft'}`}
      >
        {dCount(daysUntil(today, day))}
      </span>
      <span className="min-w-0 grow">
        <span className="block truncate font-semibold text-small">{name}</span>
        <span className="block text-caption text-ink-soft">
          {dayLabel(day, language, { dateStyle: 'full' })}
        </span>
      </span>
      <IconButton icon={X} size="small" label={t('exams.remove', { name })} onClick={onRemove} />
    </li>
  );
}

interface NewExamProps {
  readonly today: StudyDay;
  readonly onAdd: (exam: ExamDay) => void;
}

function NewExam({ today, onAdd }: NewExamProps) {
  const { t } = useTranslation(planTexts);
  const ref = useRef<HTMLInputElement>(null);
  const form = useForm({
    initial: { name: '', day: '' },
    check: ({ name, day }) => ({
      name:
        examName(name) === null ? t('exams.nameRule', { max: EXAM_NAME_MAX_LENGTH }) : undefined,
      day: day < today ? t('exams.dayRule') : undefined,
    }),
    send: ({ name, day }) => {
      const line = examName(name);
      if (line === null) return;
      onAdd({ name: line, day });
      form.change({ name: '', day: '' });
      ref.current?.focus();
    },
  });
  return (
    <form {...form.props} className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
      <TextField
        {...form.field('name')}
        ref={ref}
        label={t('exams.name')}
        placeholder={t('exams.placeholder')}
      />
      <TextField {...form.field('day')} label={t('exams.day')} type="date" min={today} />
      <div className="sm:col-span-full">
        <Button type="submit">{t('exams.add')}</Button>
      </div>
    </form>
  );
}
