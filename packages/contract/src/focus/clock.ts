import * as z from 'zod/mini';
import { FocusStatus } from './transitions.ts';

/** A moment by the server's clock, in milliseconds since 1970. */
export const ServerTimeMs = z.int();

/**
 * The state from which a learner's clock at any moment is computed: the time counted in this visit before the
 * present status, and when that status began. It changes only when the status does.
 */
export const FocusClock = z.object({
  status: FocusStatus,
  /** Focused in this visit before `sinceMs`. */
  focusMs: z.int(),
  /** Away in this visit before `sinceMs`. */
  awayMs: z.int(),
  /** When the present status began. */
  sinceMs: ServerTimeMs,
});
export type FocusClock = z.infer<typeof FocusClock>;

/** The clock of a learner after entering, or without a seat. */
export function stillClock(status: 'idle' | 'ended', sinceMs: number): FocusClock {
  return { status, focusMs: 0, awayMs: 0, sinceMs };
}

/** How long the present status has lasted; never negative, even if clocks disagree. */
function statusMs(clock: FocusClock, serverNowMs: number): number {
  return Math.max(0, serverNowMs - clock.sinceMs);
}

/** Focused in this visit so far. */
export function focusedMs(clock: FocusClock, serverNowMs: number): number {
  return clock.focusMs + (clock.status === 'focus' ? statusMs(clock, serverNowMs) : 0);
}

/** Away in this visit so far. */
export function awayMsOf(clock: FocusClock, serverNowMs: number): number {
  return clock.awayMs + (clock.status === 'away' ? statusMs(clock, serverNowMs) : 0);
}

/**
 * The time on a tile: it counts up while the status is focus or away (specification §4). Away counts
 * separately, so that a break never looks like study.
 */
export function tileMs(clock: FocusClock, serverNowMs: number): number {
  return clock.status === 'away' ? awayMsOf(clock, serverNowMs) : focusedMs(clock, serverNowMs);
}

/** The learner's own clock: like the tile, except that during a break it shows the break's length. */
export function ownClockMs(clock: FocusClock, serverNowMs: number): number {
  return clock.status === 'pause' ? statusMs(clock, serverNowMs) : tileMs(clock, serverNowMs);
}

/** The clock after a change of status, for both ends: the browser draws it before the server confirms. */
export function clockAfter(
  clock: FocusClock,
  status: FocusStatus,
  serverNowMs: number,
): FocusClock {
  if (status === clock.status) return clock;
  return {
    status,
    focusMs: focusedMs(clock, serverNowMs),
    awayMs: awayMsOf(clock, serverNowMs),
    sinceMs: Math.max(clock.sinceMs, serverNowMs),
  };
}

interface ClockReading {
  /** The server's time in its response. */
  readonly serverNowMs: number;
  /** By this computer's clock: when the request was sent; for pushed messages the time of arrival. */
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

/**
 * How far the server's clock is ahead of this computer's: server time = own time + offset. Right to
 * half the time that the answer took.
 */
export function serverOffsetMs({ serverNowMs, sentAtMs, receivedAtMs }: ClockReading): number {
  return serverNowMs - (sentAtMs + receivedAtMs) / 2;
}
