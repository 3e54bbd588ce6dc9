const loadReports = () => import('./report-error.ts');

/** Hands an error that a boundary caught to the operator, where the operator wants to know. */
export function reportCaught(error: unknown): void {
  report(({ reportError }) => reportError('rendering', error));
}

/** Hands on what rejected where the learner needs no word, but a fault of ours must not be hidden. */
export function reportRejection(reason: unknown): void {
  report(({ reportError }) => reportError('rejection', reason));
}

/** From now on errors that nobody catches, and what the content policy refuses, are reported. */
export function watchErrors(): void {
  addEventListener('error', ({ error }) =>
    report(({ reportError }) => reportError('error', error)),
  );
  addEventListener('unhandledrejection', ({ reason }) => reportRejection(reason));
  document.addEventListener('securitypolicyviolation', (event) =>
    report(({ reportViolation }) => reportViolation(event)),
  );
}

type Reports = Awaited<ReturnType<typeof loadReports>>;

function report(send: (reports: Reports) => void): void {
  // The server says so where the operator has switched it off (CLIENT_ERRORS).
  if (document.documentElement.dataset.clientErrors === 'off') return;
  loadReports()
    .then(send)
    // Without a network there is nobody to tell.
    .catch(() => undefined);
}
