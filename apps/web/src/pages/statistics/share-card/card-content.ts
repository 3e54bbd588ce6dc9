import {
  ATTENDANCE_MIN_MS,
  type DatedGoal,
  goalShare,
  type Statistics,
  type StudyDays,
  type Today,
  todayMs,
} from '@mogakgong/contract';
import { attendedDays, sumOf, weekSoFar } from '../../../features/statistics/study-days.ts';
import { dayLabel } from '../../../shared/i18n/date-format.ts';
import { durationText } from '../../../shared/i18n/duration-text.ts';
import type { StudyText } from '../../../shared/i18n/namespaces.ts';

import type { CardContent } from './draw-card.ts';

const CARD_SPANS = ['today', 'week'] as const;
export type CardSpan = (typeof CARD_SPANS)[number];

/** The data of a card when its dialog opens: a card does not tick. */
export interface CardFacts {
  readonly today: Today;
  readonly statistics: Statistics;
  readonly studyDays: StudyDays;
  readonly goal: DatedGoal | null;
  readonly nowMs: number;
}

/** The spans with any focus in them. */
export function spansWithFocus({ today, studyDays, nowMs }: CardFacts): CardSpan[] {
  const focusMs = {
    today: todayMs(today, nowMs),
    week: sumOf(weekSoFar(today, studyDays, nowMs)).focusMs,
  };
  return CARD_SPANS.filter((span) => focusMs[span] > 0);
}

/** The texts and figures of a card. The name is empty unless the learner wants it there. */
export function cardContent(
  t: StudyText,
  language: string,
  span: CardSpan,
  name: string,
  facts: CardFacts,
): CardContent {
  const { today, statistics, studyDays, goal, nowMs } = facts;
  const focusTodayMs = todayMs(today, nowMs);
  const week = weekSoFar(today, studyDays, nowMs);
  const streak = {
    name: t('card.streak'),
    value: t('card.days', { count: statistics.continueAttendanceDays }),
  };
  const heading = t(`card.${span}`);
  const base = {
    brand: t('brand.name'),
    heading: name === '' ? heading : t('card.of', { name, span: heading }),
  };
  if (span === 'week') {
    const [monday = today.day] = week.map(({ day }) => day);
    return {
      ...base,
      date: rangeLabel(monday, week.at(-1)?.day ?? today.day, language),
      focus: durationText(t, sumOf(week).focusMs),
      figures: [
        streak,
        {
          name: t('card.attended'),
          value: t('card.days', { count: attendedDays(week) }),
          days: week.map(({ focusMs }) => focusMs >= ATTENDANCE_MIN_MS),
        },
      ],
    };
  }
  const target = goal?.targetMinutes ?? null;
  const share = target === null ? 0 : goalShare(target, focusTodayMs);
  return {
    ...base,
    date: dayLabel(today.day, language, { dateStyle: 'full' }),
    focus: durationText(t, focusTodayMs),
    figures:
      target === null
        ? [streak]
        : [
            streak,
            {
              name: t('card.goal', { target: durationText(t, target * 60_000) }),
              value: t('card.goalPercent', { percent: Math.floor(share * 100) }),
              share,
            },
          ],
  };
}

/** The alternative text of the picture. */
export function cardAlt(t: StudyText, { date, heading, focus, ...content }: CardContent): string {
  const figures = content.figures.map(({ name, value }) => `${name} ${value}`).join(', ');
  return t('card.alt', { date, heading, focus, figures });
}

function rangeLabel(from: string, to: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return format.formatRange(Date.parse(from), Date.parse(to));
}
