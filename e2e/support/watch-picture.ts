import type { Page } from '@playwright/test';
import { type Account, tileOf } from './journey.ts';

/** The track that a tile shows: another one means that the connection to the media server was lost. */
export const shownTrack = (page: Page, account: Account) =>
  tileOf(page, account)
    .locator('video')
    .evaluate(
      (video: HTMLVideoElement) => (video.srcObject as MediaStream).getVideoTracks()[0]?.id,
    );

interface WatchingWindow {
  watchedPicture?: {
    readonly longestStillMs: number;
    readonly changes: number;
    readonly timer: NodeJS.Timeout;
  };
}

/** Starts to measure how long a learner's tile is frozen, anew with each call; returns a function that reads the longest time. */
export async function watchPicture(
  page: Page,
  { userId }: Account,
): Promise<() => Promise<number>> {
  await page.evaluate((identity) => {
    const watching = globalThis as unknown as WatchingWindow;
    clearInterval(watching.watchedPicture?.timer);
    const state = { longestStillMs: 0, frames: 0, changes: 0, changedAtMs: performance.now() };
    const timer = setInterval(() => {
      const video = document.querySelector<HTMLVideoElement>(
        `[data-participant-identity="${identity}"] video`,
      );
      const frames = video?.getVideoPlaybackQuality().totalVideoFrames ?? state.frames;
      const nowMs = performance.now();
      if (frames !== state.frames) {
        Object.assign(state, { frames, changes: state.changes + 1, changedAtMs: nowMs });
      }
      state.longestStillMs = Math.max(state.longestStillMs, nowMs - state.changedAtMs);
    }, 20);
    watching.watchedPicture = Object.assign(state, { timer });
  }, userId);
  return () =>
    page.evaluate(
      () => (globalThis as unknown as WatchingWindow).watchedPicture?.longestStillMs ?? Infinity,
    );
}

/** How often the picture that `watchPicture` watches has changed so far. */
export const countChanges = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as WatchingWindow).watchedPicture?.changes ?? 0);
