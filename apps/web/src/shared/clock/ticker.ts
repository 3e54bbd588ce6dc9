import { useSyncExternalStore } from 'react';
import { invalidateServerClock, onServerClock, serverNowMs } from './server-clock.ts';
import { onWake, wakeAfterJump } from './waking.ts';

const SECOND_MS = 1_000;
/** Behind the boundary, because a timer may come a little early. */
const BEHIND_BOUNDARY_MS = 4;
/** The server's clock is known better with time; so small a correction turns no clock back. */
const HELD_MS = 2 * SECOND_MS;
/** A jump of this computer's clock beyond this is no drift: it slept, or somebody set it. */
const JUMP_MS = 1_500;
/** A timer of a tab that is shown and comes later than this was held up: the computer slept. */
const HELD_UP_MS = 5_000;

const listeners = new Set<() => void>();
let shownMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let stops: (() => void)[] = [];
let lastWallAheadMs = 0;
/** When `beat` is due, by the clock that only counts. */
let dueAtMs = 0;

/** Difference between the clock on the wall and the one that only counts. */
const wallAheadMs = () => Date.now() - performance.now();

function wholeSecondMs(): number {
  const nowMs = Math.floor(serverNowMs() / SECOND_MS) * SECOND_MS;
  const isHeld = nowMs < shownMs && shownMs - nowMs <= HELD_MS;
  return isHeld ? shownMs : nowMs;
}

/**
 * The second of the server's clock that the page shows, in milliseconds since 1970. One for all
 * clocks of the page, so that they change together.
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
  // The clock that only counts stands still during sleep on some systems only.
  const isShown = document.visibilityState === 'visible';
  const wasHeldUp = isShown && performance.now() - dueAtMs > HELD_UP_MS;
  if (hasJumped) invalidateServerClock();
  if (hasJumped || wasHeldUp) wakeAfterJump();
  tick();
}

/**
 * Calls back once a second of the server's clock, and at once when the page wakes up or learns the
 * time better: the one ticker of the page (specification §9). Returns a cleanup function.
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
 * What `read` makes of the second that the page shows. Renders again only when that has changed, so a
 * clock that stands costs nothing.
 */
export function useSecond<T extends string | number | boolean | null>(
  read: (serverNowMs: number) => T,
): T {
  return useSyncExternalStore(onSecond, () => read(shownSecondMs()));
}
