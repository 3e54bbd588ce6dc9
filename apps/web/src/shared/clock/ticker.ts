import { SECOND_MS } from '@mogakgong/contract';
import { useSyncExternalStore } from 'react';
import { invalidateServerClock, onServerClock, serverNowMs } from './server-clock.ts';
import { onWake, wakeAfterJump } from './waking.ts';

/** After the boundary, because a timer may fire slightly early. */
const BEHIND_BOUNDARY_MS = 4;
/** The server's clock gets more precise over time; a correction this small sets no clock back. */
const HELD_MS = 2 * SECOND_MS;
/** A larger jump of this computer's clock is no drift: it slept, or its clock was set. */
const JUMP_MS = 1_500;
/** A timer of a visible tab that fires later than this was held up: the computer slept. */
const HELD_UP_MS = 5_000;

const listeners = new Set<() => void>();
let shownMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let stops: (() => void)[] = [];
let lastWallAheadMs = 0;
/** When the next tick is due, by the monotonic clock. */
let dueAtMs = 0;

/** Difference between the wall clock and the monotonic clock. */
const wallAheadMs = () => Date.now() - performance.now();

function wholeSecondMs(): number {
  const nowMs = Math.floor(serverNowMs() / SECOND_MS) * SECOND_MS;
  const isHeld = nowMs < shownMs && shownMs - nowMs <= HELD_MS;
  return isHeld ? shownMs : nowMs;
}

/**
 * The second of the server's clock that the page shows, in milliseconds since 1970. One for all clocks of the
 * page, so that they change together.
 */
export function shownSecondMs(): number {
  if (listeners.size === 0) shownMs = wholeSecondMs();
  return shownMs;
}

function tick(): void {
  clearTimeout(timer);
  const toBoundaryMs = SECOND_MS - (serverNowMs() % SECOND_MS);
  dueAtMs = performance.now() + toBoundaryMs + BEHIND_BOUNDARY_MS;
  timer = setTimeout(beat, toBoundaryMs + BEHIND_BOUNDARY_MS);
  const before = shownMs;
  shownMs = wholeSecondMs();
  if (shownMs !== before) for (const listener of [...listeners]) listener();
}

function beat(): void {
  const aheadMs = wallAheadMs();
  const hasJumped = Math.abs(aheadMs - lastWallAheadMs) > JUMP_MS;
  lastWallAheadMs = aheadMs;
  // On some systems only, the monotonic clock stops during sleep.
  const isShown = document.visibilityState === 'visible';
  const wasHeldUp = isShown && performance.now() - dueAtMs > HELD_UP_MS;
  if (hasJumped) invalidateServerClock();
  if (hasJumped || wasHeldUp) wakeAfterJump();
  tick();
}

/**
 * Calls back once a second of the server's clock, and at once when the page wakes up or learns a better time:
 * the page's one ticker (specification §9). Returns a cleanup function.
 */
export function onSecond(listener: () => void): () => void {
  if (listeners.size === 0) {
    stops = [onWake(tick), onServerClock(tick)];
    lastWallAheadMs = wallAheadMs();
    tick();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

/**
 * The value of `read` for the shown second. Renders again only on a change, so a stopped clock costs nothing.
 */
export function useSecond<T extends string | number | boolean | null>(
  read: (serverNowMs: number) => T,
): T {
  return useSyncExternalStore(onSecond, () => read(shownSecondMs()));
}
