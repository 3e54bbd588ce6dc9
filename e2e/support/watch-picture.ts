import type { Page } from '@playwright/test';
import { type Account, tileOf } from './journey.ts';

/** The track that a tile shows: another one means that the connection to the media server was lost. */
export const shownTrack = (page: Page, account: Account) =>
  tileOf(page, account)
    .locator('video')
    .evaluate(
      (video: HTMLVideoElement) => (video.srcObject as MediaStream).getVideoTracks()[0]?.id,
    );

/** Starts to measure how long a learner's tile is frozen; returns a function that reads the longest time. */
export async function watchPicture(
  page: Page,
  { userId }: Account,
): Promise<() => Promise<number>> {
  await page.evaluate((identity) => {
    const state = { longestStillMs: 0, frames: 0, changedAtMs: performance.now() };
    Object.assign(globalThis, { watchedPicture: state });
    setInterval(() => {
      const video = document.querySelector<HTMLVideoElement>(
        `[data-participant-identity="${identity}"] video`,
      );
      const frames = video?.getVideoPlaybackQuality().totalVideoFrames ?? state.frames;
      const nowMs = performance.now();
      if (frames !== state.frames) Object.assign(state, { frames, changedAtMs: nowMs });
      state.longestStillMs = Math.max(state.longestStillMs, nowMs - state.changedAtMs);
    }, 20);
  }, userId);
  return () =>
    page.evaluate(
      () =>
        (globalThis as unknown as { watchedPicture: { longestStillMs: number } }).watchedPicture
          .longestStillMs,
    );
}
