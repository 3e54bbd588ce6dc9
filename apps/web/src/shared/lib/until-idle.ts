/** A browser that is busy for longer than this many ms goes on all the same; Safari does not tell. */
const LATEST_MS = 1_000;

/** Resolves when the browser has time to spare. */
export const untilIdle = () =>
  new Promise<void>((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, LATEST_MS);
    else requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
  });
