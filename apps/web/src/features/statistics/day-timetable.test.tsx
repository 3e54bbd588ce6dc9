import { HOUR_MS, ManualTimeId, MINUTE_MS, SubjectId, type Timetable } from '@mogakgong/contract';
import { expect, test } from 'vitest';
import { showPage } from '../../../testing/show-page.tsx';
import { DayTimetable } from './day-timetable.tsx';

/** Midnight in Seoul. */
const MIDNIGHT_MS = Date.UTC(2026, 10, 20, 15);
const at = (hour: number, minute = 0) => MIDNIGHT_MS + hour * HOUR_MS + minute * MINUTE_MS;
const maths = SubjectId.parse(4);
const day: Timetable = {
  isOpen: true,
  timeZone: 'Asia/Seoul',
  dayStartsAtMs: at(0),
  dayEndsAtMs: at(24),
  parts: [
    { startedAtMs: at(9, 10), endedAtMs: at(10, 20), subjectId: maths, manualId: null },
    {
      startedAtMs: at(10, 30),
      endedAtMs: at(10, 45),
      subjectId: null,
      manualId: ManualTimeId.parse(1),
    },
  ],
  subjects: [{ id: maths, name: '수학', place: 9 }],
};

/** Each drawn row with parts: the hour, and from which minute to which in which colour. */
async function drawn(timetable: Timetable) {
  const { container } = await showPage(<DayTimetable timetable={timetable} />);
  const rows = [...container.querySelectorAll('li')].map((row) => {
    const [hour, line] = row.children;
    const parts = [...(line?.children ?? [])].map((part) => {
      const { left, right, backgroundColor } = (part as HTMLElement).style;
      const minute = (share: string) => Math.round(Number.parseFloat(share) * 0.6);
      return {
        minutes: [minute(left), 60 - minute(right)],
        colour: backgroundColor,
        isByHand: part.classList.contains('by-hand'),
      };
    });
    return { hour: Number(hour?.textContent), parts };
  });
  return {
    hours: rows.map(({ hour }) => hour),
    filled: rows.filter(({ parts }) => parts.length > 0),
  };
}

test('a day is drawn in rows of hours, with each stretch at its minutes, in the colour of its subject', async () => {
  const { hours, filled } = await drawn(day);
  expect(hours).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
  const colour = 'var(--subject-1)';
  expect(filled).toEqual([
    { hour: 9, parts: [{ minutes: [10, 60], colour, isByHand: false }] },
    {
      hour: 10,
      parts: [
        { minutes: [0, 20], colour, isByHand: false },
        { minutes: [30, 45], colour: 'var(--lamp)', isByHand: true },
      ],
    },
  ]);
});

test('rows begin where the day of the learner begins, and reach to what was counted by another rule', async () => {
  const late = { ...day, dayStartsAtMs: at(5), dayEndsAtMs: at(29) };
  expect((await drawn(late)).hours).toEqual([
    ...Array.from({ length: 19 }, (_, hour) => hour + 5),
    0,
    1,
    2,
    3,
    4,
  ]);
  const before = { startedAtMs: at(3, 30), endedAtMs: at(5, 10), subjectId: null, manualId: null };
  const { hours, filled } = await drawn({ ...late, parts: [before] });
  expect([hours[0], hours.length]).toEqual([3, 26]);
  expect(filled.map(({ hour, parts }) => [hour, parts[0]?.minutes])).toEqual([
    [3, [30, 60]],
    [4, [0, 60]],
    [5, [0, 10]],
  ]);
});
