import type { DatedGoal, Statistics, StudyDays, Today } from '@mogakgong/contract';
import { HOUR_MS } from '@mogakgong/contract';
import { describe, expect, test } from 'vitest';
import en from '../../../shared/i18n/common.en.json';
import ko from '../../../shared/i18n/common.ko.json';
import cardEn from '../../../shared/i18n/study.en.json';
import cardKo from '../../../shared/i18n/study.ko.json';
import { createTranslation } from '../../../shared/i18n/texts.ts';
import { type CardFacts, cardAlt, cardContent, spansWithFocus } from './card-content.ts';

/** A Saturday, 12:00 in Seoul. */
const NOW_MS = Date.UTC(2026, 10, 21, 3);

const facts: CardFacts = {
  today: {
    day: '2026-11-21',
    focusMs: HOUR_MS,
    runningSinceMs: NOW_MS - HOUR_MS / 2,
    dayStartsAtMs: NOW_MS - 12 * HOUR_MS,
    dayEndsAtMs: NOW_MS + 12 * HOUR_MS,
    serverNowMs: NOW_MS,
  } as Today,
  statistics: { continueAttendanceDays: 3 } as Statistics,
  studyDays: {
    today: '2026-11-21',
    days: [
      { day: '2026-11-15', focusMs: 5 * HOUR_MS, awayMs: 0 },
      { day: '2026-11-16', focusMs: 2 * HOUR_MS, awayMs: 0 },
      { day: '2026-11-17', focusMs: 59_999, awayMs: 0 },
      { day: '2026-11-21', focusMs: HOUR_MS, awayMs: 0 },
    ],
  } as StudyDays,
  goal: { targetMinutes: 120 } as DatedGoal,
  nowMs: NOW_MS,
};
const korean = createTranslation('ko', { ...ko, ...cardKo }).t as Parameters<typeof cardContent>[0];
const english = createTranslation('en', { ...en, ...cardEn }).t as Parameters<
  typeof cardContent
>[0];

describe('a card', () => {
  test('for today has focus, days in a row and the goal, and no name', () => {
    const content = cardContent(korean, 'ko', 'today', '', facts);
    expect(content).toMatchObject({
      date: '2026년 11월 21일 토요일',
      heading: '오늘 집중',
      focus: '1시간 30분',
      figures: [
        { name: '연속 출석', value: '3일' },
        { name: '오늘 목표 2시간', value: '75%', share: 0.75 },
      ],
    });
    expect(cardAlt(korean, content)).toBe(
      '공유 카드: 2026년 11월 21일 토요일, 오늘 집중 1시간 30분, 연속 출석 3일, 오늘 목표 2시간 75%',
    );
  });

  test('for this week has its days from Monday on; less than a minute counts as none', () => {
    const content = cardContent(english, 'en', 'week', 'Kim', facts);
    expect(content).toMatchObject({
      date: expect.stringMatching(/^November 16\s–\s22, 2026$/u),
      heading: 'Kim · Focus this week',
      focus: '3h 30m',
    });
    expect(content.figures[1]).toEqual({
      name: 'Days this week',
      value: '2 days',
      days: [true, false, false, false, false, true, false],
    });
  });

  test('without focus and for a whole day says so', () => {
    const of = (focusMs: number) =>
      cardContent(korean, 'ko', 'today', '', {
        ...facts,
        goal: null,
        today: { ...facts.today, focusMs, runningSinceMs: null },
      });
    expect(of(0)).toMatchObject({ focus: '0분', figures: [{ name: '연속 출석' }] });
    expect(of(24 * HOUR_MS).focus).toBe('24시간');
  });

  test('covers spans with focus in them', () => {
    const idle = { ...facts.today, focusMs: 0, runningSinceMs: null };
    expect(spansWithFocus(facts)).toEqual(['today', 'week']);
    expect(spansWithFocus({ ...facts, today: idle })).toEqual(['week']);
    const none = { ...facts, today: idle, studyDays: { ...facts.studyDays, days: [] } };
    expect(spansWithFocus(none)).toEqual([]);
  });
});
