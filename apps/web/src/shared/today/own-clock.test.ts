import {
  type FocusClock,
  RoomId,
  SubjectId,
  type TimerMove,
  type Today,
  todayMs,
} from '@mogakgong/contract';
import { expect, test } from 'vitest';
import {
  clockOf,
  expectedHere,
  isMoving,
  isWaiting,
  type OwnClock,
  type OwnClockEvent,
  ownClockAfter,
  type Press,
  todayWith,
  UNKNOWN_CLOCK,
  unsentSubjectId,
} from './own-clock.ts';

/** Seconds since the learner entered at T. */
const T = Date.UTC(2026, 10, 21, 9, 0, 0);
const at = (seconds: number) => T + seconds * 1_000;
const clock = (status: FocusClock['status'], seconds: number, focus = 0): FocusClock => ({
  status,
  sinceMs: at(seconds),
  focusMs: focus * 1_000,
  awayMs: 0,
});

const roomId = RoomId.parse(3);
const focus = clock('focus', 0);
const seated = (...presses: Press[]): OwnClockEvent => ({ kind: 'seated', roomId, presses });
const present = (own: FocusClock): OwnClockEvent => ({ kind: 'present', clock: own });
const pressOf = (move: TimerMove, seconds: number): Press => ({
  id: `${move} ${seconds}`,
  atMs: at(seconds),
  move,
});
const press = (move: TimerMove, seconds: number): OwnClockEvent => ({
  kind: 'pressed',
  press: pressOf(move, seconds),
});
const answer = (id: string, own: FocusClock | null): OwnClockEvent => ({
  kind: 'answered',
  id,
  clock: own,
});
const expected = (own: FocusClock | null, isOfOtherTab = false): OwnClockEvent => ({
  kind: 'expected',
  expected: own && { clock: own, isOfOtherTab },
});
const failed: OwnClockEvent = { kind: 'failed' };
const silent = (seconds: number | null): OwnClockEvent => ({
  kind: 'silent',
  sinceMs: seconds === null ? null : at(seconds),
});

const after = (events: readonly OwnClockEvent[]): OwnClock =>
  events.reduce((own, event) => ownClockAfter(own, event, T), UNKNOWN_CLOCK);

/** An hour of focus before T, running since; the day ends after ten minutes. */
const today = (serverSeconds: number, change: Partial<Today> = {}): Today => ({
  todayStudyTime: 3_600,
  day: '2026-11-21',
  timeZone: 'Asia/Seoul',
  focusMs: 3_600_000,
  runningSinceMs: T,
  dayStartsAtMs: T - 3_600_000,
  dayEndsAtMs: at(600),
  serverNowMs: at(serverSeconds),
  ...change,
});

const focusing = [seated(), present(focus)];
const paused = clock('pause', 10, 10);
/** The clock as shown: status, since when, and how presses stand. */
test.each<[string, OwnClockEvent[], [FocusClock['status'] | undefined, number?, string?]]>([
  ['nothing, before the server has sent the clock', [seated()], [undefined]],
  ['a press at once', [...focusing, press('pause', 10)], ['pause', 10, 'moving']],
  [
    'every press in order',
    [...focusing, press('pause', 1), press('resume', 2)],
    ['focus', 2, 'moving'],
  ],
  [
    'no press that the table of transitions forbids',
    [...focusing, press('start', 1)],
    ['focus', 0, 'moving'],
  ],
  ['the answer', [...focusing, press('pause', 10), answer('pause 10', paused)], ['pause', 10]],
  [
    'the answer, and not presence from before it',
    [...focusing, press('pause', 10), answer('pause 10', paused), present(clock('focus', 0))],
    ['pause', 10],
  ],
  [
    'presence that is newer than the answer',
    [...focusing, press('pause', 10), present(clock('away', 11)), answer('pause 10', paused)],
    ['away', 11],
  ],
  [
    'presence that has caught up with the answer, and what follows',
    [
      ...focusing,
      press('pause', 10),
      answer('pause 10', paused),
      present({ ...paused }),
      present(clock('focus', 12)),
    ],
    ['focus', 12],
  ],
  [
    'presence before the answer, with the press',
    [...focusing, press('pause', 10), present({ ...focus })],
    ['pause', 10, 'moving'],
  ],
  [
    'the status before a refused press',
    [...focusing, press('pause', 10), answer('pause 10', null)],
    ['focus', 0],
  ],
  [
    'another tab’s status after a refused press',
    [...focusing, press('pause', 10), present(clock('away', 11)), answer('pause 10', null)],
    ['away', 11],
  ],
  [
    'the press after a refused one',
    [...focusing, press('pause', 10), press('away', 11), answer('pause 10', null)],
    ['away', 11, 'moving'],
  ],
  [
    'a press that waits for the server',
    [...focusing, press('pause', 10), failed],
    ['pause', 10, 'waiting'],
  ],
  [
    'a press that was sent again',
    [...focusing, press('pause', 10), failed, answer('pause 10', paused)],
    ['pause', 10],
  ],
  [
    'after a reload a press that waits',
    [
      ...focusing,
      press('pause', 10),
      { kind: 'closed' },
      seated(pressOf('pause', 10)),
      present(focus),
    ],
    ['pause', 10, 'moving'],
  ],
  ['nothing of a seat that another tab has', [...focusing, { kind: 'closed' }], [undefined]],
  [
    'no press of a seat that was given up',
    [...focusing, press('pause', 10), { kind: 'discarded' }],
    ['focus', 0],
  ],
  ['away in a long silence', [...focusing, silent(5)], ['away', 5]],
  ['a break in a long silence as away', [...focusing, present(paused), silent(12)], ['away', 12]],
  [
    'the status before a silence that has ended',
    [...focusing, silent(5), silent(null)],
    ['focus', 0],
  ],
  ['idle in a silence', [seated(), present(clock('idle', 0)), silent(5)], ['idle', 0]],
])('the own clock shows %s', (_, events, [status, seconds, presses]) => {
  const own = after(events);
  expect(clockOf(own)?.status).toBe(status);
  if (seconds !== undefined) expect(clockOf(own)?.sinceMs).toBe(at(seconds));
  expect([isMoving(own) && 'moving', isWaiting(own) && 'waiting'].find(Boolean) || undefined).toBe(
    presses,
  );
});

const otherDay = today(0, { runningSinceMs: null, focusMs: 0 });
/** Focus of closed intervals in seconds, and the start of the running one. */
test.each<[string, OwnClockEvent[], Today, [number, number | null]]>([
  ['a press at once', [...focusing, press('pause', 10)], today(5), [3_610, null]],
  [
    'a press, whatever state without it arrives',
    [...focusing, press('pause', 10)],
    today(300),
    [3_610, null],
  ],
  [
    'a break that has ended, while both presses wait',
    [...focusing, press('pause', 10), press('resume', 40), failed],
    today(5),
    [3_610, 40],
  ],
  [
    'the status before a refused press',
    [...focusing, press('pause', 10), answer('pause 10', null)],
    today(5),
    [3_600, 0],
  ],
  ['a clock that is newer than the day', [...focusing, present(paused)], today(5), [3_610, null]],
  ['a day that is newer than the clock', [...focusing, present(paused)], today(20), [3_600, 0]],
  [
    'a press that the day includes once',
    [...focusing, press('pause', 10)],
    today(11, { focusMs: 3_610_000, runningSinceMs: null }),
    [3_610, null],
  ],
  [
    'focus that has begun',
    [seated(), present(clock('idle', 0)), press('start', 3)],
    otherDay,
    [0, 3],
  ],
  [
    'no press after the end of the day: the server knows the next one',
    [...focusing, press('pause', 600)],
    today(5),
    [3_600, 0],
  ],
  [
    'the end of the visit at once',
    [...focusing, expected(clock('ended', 7))],
    today(5),
    [3_607, null],
  ],
  [
    'the visit on where it did not end',
    [...focusing, expected(clock('ended', 7)), expected(null)],
    today(5),
    [3_600, 0],
  ],
  ['a press in another tab', [expected(clock('pause', 10), true)], today(20), [3_610, null]],
  [
    'no press in another tab that may be gone',
    [expected(clock('pause', 10), true)],
    today(26),
    [3_600, 0],
  ],
])('the own day shows %s', (_, events, confirmed, [seconds, running]) => {
  const shown = todayWith(after(events), confirmed);
  expect(shown.focusMs).toBe(seconds * 1_000);
  expect(shown.runningSinceMs).toBe(running === null ? null : at(running));
});

test('other tabs expect what is pending here, and nothing of theirs', () => {
  const pending = after([...focusing, press('pause', 10)]);
  expect(expectedHere(pending)).toMatchObject({ status: 'pause', sinceMs: at(10) });
  expect(
    expectedHere(after([...focusing, press('pause', 10), answer('pause 10', paused)])),
  ).toBeNull();
  expect(expectedHere(after([expected(paused, true)]))).toBeNull();
  expect(expectedHere(after([expected(paused)]))).toBe(paused);
});

test('a choice of a subject waits as a press, and changes no clock', () => {
  const subjectId = SubjectId.parse(4);
  const chosen: Press = { id: 'choice', atMs: at(3), subjectId };
  const own = after([...focusing, { kind: 'pressed', press: chosen }]);
  expect(unsentSubjectId(own)).toBe(subjectId);
  expect(clockOf(own)).toBe(focus);
  expect(unsentSubjectId(ownClockAfter(own, answer('choice', focus), T))).toBeUndefined();
});

test('presence that says nothing new changes nothing', () => {
  const own = after(focusing);
  expect(ownClockAfter(own, present(focus), T)).toBe(own);
});

test('a joined schedule changes the clock and the day at its moments, and a press before one takes its place', () => {
  const schedule = { startedAtMs: T, focusMinutes: 1, breakMinutes: 1 };
  const joined = { ...focus, schedule };
  const shownAt = (own: OwnClock, seconds: number) =>
    clockOf(ownClockAfter(own, { kind: 'ticked' }, at(seconds)));
  const own = after([seated(), present(joined)]);
  expect(shownAt(own, 59)).toMatchObject({ status: 'focus' });
  expect(shownAt(own, 60)).toMatchObject({ status: 'pause', sinceMs: at(60), focusMs: 60_000 });
  expect(shownAt(own, 120)).toMatchObject({ status: 'focus', sinceMs: at(120) });
  const day = today(0, { phases: { ...schedule, sinceMs: T } });
  expect(todayMs(todayWith(own, day), at(150))).toBe(3_690_000);
  // Pressed without a connection before the break, and sent in it: the break is the learner's own.
  const paused = ownClockAfter(own, press('pause', 50), at(70));
  expect(shownAt(paused, 130)).toMatchObject({ status: 'pause', sinceMs: at(50) });
  expect(todayMs(todayWith(paused, day), at(150))).toBe(3_650_000);
});
