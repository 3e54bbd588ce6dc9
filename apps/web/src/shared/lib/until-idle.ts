/** After this many ms work starts even in a busy browser; Safari does not report idle time. */
const LATEST_MS = 1_000;

/** Resolves when the browser is idle. */
export const untilIdle = () =>
  new Promise<void>((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, LATEST_MS);
    else requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
  });
