import type { UserId } from '@mogakgong/contract';
import { onClockDoubt, onWake } from '../clock/index.ts';
import { loadToday } from './asking.ts';
import { followOtherTabs, knownToday } from './today.ts';

/** Specification §9. */
const RELOAD_EVERY_MS = 60_000;

interface Watch {
  watchers: number;
  readonly stop: () => void;
}

const watches = new Map<UserId, Watch>();

/**
 * Keeps a learner's today up to date: asks now, every minute, and whenever the page may have missed
 * something, and hears what other tabs learn. However many watch, it is asked once. Answers how to
 * stop that.
 */
export function watchToday(userId: UserId): () => void {
  const watch = watches.get(userId) ?? begin(userId);
  watch.watchers += 1;
  // The last question may have failed; who comes now need not wait for the next.
  if (knownToday(userId) === null) void loadToday(userId);
  return () => {
    watch.watchers -= 1;
    if (watch.watchers > 0) return;
    watch.stop();
    watches.delete(userId);
  };
}

function begin(userId: UserId): Watch {
  let timer: ReturnType<typeof setTimeout>;
  const waitAMinute = () => {
    clearTimeout(timer);
    timer = setTimeout(load, RELOAD_EVERY_MS);
  };
  const load = () => {
    waitAMinute();
    void loadToday(userId);
  };
  // Of several tabs one asks, and the others wait anew.
  const stops = [onWake(load), onClockDoubt(load), followOtherTabs(userId, waitAMinute)];
  load();
  const watch: Watch = {
    watchers: 0,
    stop: () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    },
  };
  watches.set(userId, watch);
  return watch;
}
