import {
  getStudySubjects,
  type StudyDay,
  type StudySubjects,
  type SubjectId,
  type UserId,
} from '@mogakgong/contract';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { dayLabel } from '../../shared/i18n/date-format.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts, studyTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { BarChart } from './bar-chart.tsx';
import { ChartPanel, FiguresTable, Spans } from './chart-panel.tsx';

import { daysFrom, lastDays } from './study-days.ts';
import { useFigures } from './use-statistics.ts';

type Span = 'today' | 'week' | 'month' | 'year';
type SubjectFigures = StudySubjects['subjects'][number];

/** Days covered by each choice, today included. */
const SPAN_DAYS = { today: 1, week: 7, month: 30, year: 364 } as const;
/** More bars than these do not fit on a phone. */
const MOST_BARS = 30;
/** Days between two labels of a month, so that they do not touch on a phone. */
const LABEL_EVERY = { week: 1, month: 5 } as const;

const percentOf = (ms: number, allMs: number) => Math.round((ms / Math.max(1, allMs)) * 100);

interface SubjectsPanelProps {
  /** The learner's current day. */
  readonly day: StudyDay;
  readonly userId: UserId;
}

/** Focus by subject, in total and by day. */
export function SubjectsPanel({ userId, day }: SubjectsPanelProps) {
  const { t } = useTranslation(statisticsTexts);
  const [span, setSpan] = useState<Span>('today');
  const query = lastDays(day, SPAN_DAYS.year);
  const year = useFigures(userId, ['subjects', query], (options) =>
    call(getStudySubjects, { query }, options),
  );
  const { from } = lastDays(day, SPAN_DAYS[span]);
  const found = { ...year, value: year.value && figuresSince(from, year.value) };
  const subjects = found.value?.subjects ?? [];
  const hasNames = subjects.some(isNamed);
  const hasNamesEver = year.value?.subjects.some(isNamed) ?? false;
  return (
    <ChartPanel
      title={t('chart.title')}
      spans={
        // If even the longest span has no subject, the choices would change nothing.
        hasNamesEver && (
          <Spans
            value={span}
            labels={{
              today: t('chart.today'),
              week: t('chart.week'),
              month: t('chart.month'),
              year: t('chart.year'),
            }}
            onChange={setSpan}
          />
        )
      }
      name={t('chart.title')}
      empty={
        found.value !== null &&
        !hasNames &&
        t(hasNamesEver && subjects.length === 0 ? 'chart.empty' : 'chart.hint')
      }
      chart={
        <LoadState of={found}>
          {(figures) => (
            <SubjectBars
              key={span}
              figures={figures}
              days={daysFrom(from, SPAN_DAYS[span])}
              span={span}
            />
          )}
        </LoadState>
      }
      table={hasNames && found.value && <SubjectsTable figures={found.value} span={span} />}
    />
  );
}

/** The days from `from` on, and the subjects with focus in them, most first. */
function figuresSince(from: StudyDay, { today, subjects, days }: StudySubjects): StudySubjects {
  const kept = days.filter(({ day }) => day >= from);
  const columns = subjects
    .map((subject, column) => {
      const focusMs = kept.reduce((sum, each) => sum + (each.focusMs[column] ?? 0), 0);
      return { ...subject, column, focusMs };
    })
    .filter(({ focusMs }) => focusMs > 0)
    .toSorted((one, other) => other.focusMs - one.focusMs);
  return {
    today,
    subjects: columns,
    days: kept.map(({ day, focusMs }) => ({
      day,
      focusMs: columns.map(({ column }) => focusMs[column] ?? 0),
    })),
  };
}

const isNamed = ({ id }: SubjectFigures) => id !== null;

/** The name of a subject; a removed one still has its time. */
function useNameOf(): (subject: SubjectFigures) => string {
  const { t } = useTranslation(statisticsTexts);
  const { t: tStudy } = useTranslation(studyTexts);
  return ({ name, isRemoved }) => {
    if (name === null) return tStudy('subjects.none');
    return isRemoved ? t('chart.removed', { name }) : name;
  };
}

interface SubjectBarsProps {
  readonly figures: StudySubjects;
  /** Every day of the span. */
  readonly days: readonly StudyDay[];
  readonly span: Span;
}

/** A row per subject; for a week or a month also the days of the chosen one. */
function SubjectBars({ figures: { subjects, days }, days: allDays, span }: SubjectBarsProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const nameOf = useNameOf();
  const [chosenId, choose] = useState<SubjectId | null | undefined>(subjects[0]?.id);
  const allMs = subjects.reduce((sum, { focusMs }) => sum + focusMs, 0);
  const chosen = subjects.findIndex(({ id }) => id === chosenId);
  const hasDays = span !== 'today' && allDays.length <= MOST_BARS && subjects[chosen];
  const byDay = new Map(days.map(({ day, focusMs }) => [day, focusMs[chosen] ?? 0]));
  return (
    <div className="grid gap-6">
      <ul className="grid gap-1">
        {subjects.map((subject) => (
          <li key={subject.id}>
            <SubjectRow
              name={nameOf(subject)}
              focusMs={subject.focusMs}
              allMs={allMs}
              onChoose={hasDays ? () => choose(subject.id) : null}
              isChosen={subject.id === chosenId}
            />
          </li>
        ))}
      </ul>
      {hasDays && (span === 'week' || span === 'month') && (
        <BarChart
          name={`${nameOf(hasDays)}, ${t('chart.byDay')}`}
          summary={`${nameOf(hasDays)} ${durationText(t, hasDays.focusMs)}`}
          bars={allDays.map((day, index) => ({
            name: dayLabel(day, language),
            axisLabel:
              (allDays.length - 1 - index) % LABEL_EVERY[span] === 0
                ? dayLabel(day, language, { day: 'numeric' })
                : '',
            focusMs: byDay.get(day) ?? 0,
            awayMs: 0,
            isMarked: index === allDays.length - 1,
          }))}
        />
      )}
    </div>
  );
}

interface SubjectRowProps {
  readonly name: string;
  readonly focusMs: number;
  readonly allMs: number;
  /** Null where there is no detail to show. */
  readonly onChoose: (() => void) | null;
  readonly isChosen: boolean;
}

function SubjectRow({ name, focusMs, allMs, onChoose, isChosen }: SubjectRowProps) {
  const { t } = useTranslation(statisticsTexts);
  const content = (
    <>
      <span className="flex items-baseline justify-between gap-4 text-small tabular-nums">
        <span className="min-w-0 truncate font-semibold">{name}</span>
        <span className="shrink-0">
          {durationText(t, focusMs)}{' '}
          <span className="inline-block min-w-10 text-right text-ink-soft">
            {percentOf(focusMs, allMs)}%
          </span>
        </span>
      </span>
      <span aria-hidden="true" className="block h-2.5 overflow-hidden rounded-full bg-raised">
        <span
          className="chart-ink block h-full rounded-full bg-lamp"
          style={{ width: `${(100 * focusMs) / Math.max(1, allMs)}%` }}
        />
      </span>
    </>
  );
  const look = '-mx-2 grid w-[calc(100%+1rem)] gap-1.5 rounded-medium px-2 py-2 text-left';
  if (onChoose === null) return <p className={look}>{content}</p>;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      className={`${look} hover:bg-raised aria-pressed:bg-lamp-wash`}
      onClick={onChoose}
    >
      {content}
    </button>
  );
}

interface SubjectsTableProps {
  readonly figures: StudySubjects;
  readonly span: Span;
}

/** For one day a row per subject; for several a row per day, the sum first and the latest day before others. */
function SubjectsTable({ figures: { subjects, days }, span }: SubjectsTableProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const nameOf = useNameOf();
  const allMs = subjects.reduce((sum, { focusMs }) => sum + focusMs, 0);
  const caption = t('chart.title');
  const textOf = (ms: number) => (ms === 0 ? '–' : durationText(t, ms));
  if (span === 'today') {
    return (
      <FiguresTable
        caption={caption}
        head={[t('chart.subject'), t('table.focus'), t('chart.share')]}
        rows={subjects.map((subject) => [
          nameOf(subject),
          durationText(t, subject.focusMs),
          `${percentOf(subject.focusMs, allMs)}%`,
        ])}
      />
    );
  }
  return (
    <FiguresTable
      caption={caption}
      head={[t('table.day'), ...subjects.map(nameOf), t('chart.all')]}
      rows={[
        [t('chart.all'), ...subjects.map(({ focusMs }) => textOf(focusMs)), textOf(allMs)],
        ...days
          .toReversed()
          .map(({ day, focusMs }): [string, ...string[]] => [
            dayLabel(day, language),
            ...focusMs.map(textOf),
            textOf(focusMs.reduce((sum, ms) => sum + ms, 0)),
          ]),
      ]}
    />
  );
}
