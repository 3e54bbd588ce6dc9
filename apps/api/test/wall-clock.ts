import { HOUR_MS } from '@mogakgong/contract';
import type { TestClock } from './test-app.ts';

const SEOUL_AHEAD_HOURS = 9;

/** Monday to Friday, of Sunday = 0. */
export const isWorkday = (weekday: number) => weekday >= 1 && weekday <= 5;
export const isSaturday = (weekday: number) => weekday === 6;

/** The local time in Seoul, expressed as UTC. */
function wallOf(moment: Date): Date {
  return new Date(moment.getTime() + SEOUL_AHEAD_HOURS * HOUR_MS);
}

/** Moves a clock forward to an hour in Seoul, on the next suitable day. */
export function goTo(
  clock: TestClock,
  hour: number,
  minute = 0,
  isDay: (weekday: number) => boolean = () => true,
): void {
  const now = clock.now();
  const next = new Date(now);
  next.setUTCHours(hour - SEOUL_AHEAD_HOURS, minute, 0, 0);
  while (next <= now || !isDay(wallOf(next).getUTCDay())) next.setUTCDate(next.getUTCDate() + 1);
  clock.advance(next.getTime() - now.getTime());
}

/** The date before today's in Seoul. */
export function yesterdayOf(clock: TestClock): string {
  return wallOf(new Date(clock.now().getTime() - 24 * HOUR_MS))
    .toISOString()
    .slice(0, 10);
}
