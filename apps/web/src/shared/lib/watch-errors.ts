const loadReports = () => import('./report-error.ts');

/** Reports an error that a boundary caught to the operator, if the operator wants that. */
export function reportCaught(error: unknown): void {
  report(({ reportError }) => reportError('rendering', error));
}

/** Reports a rejection that the learner need not see, but that must not hide a bug of ours. */
export function reportRejection(reason: unknown): void {
  report(({ reportError }) => reportError('rejection', reason));
}

/** Reports uncaught errors and violations of the content policy from now on. */
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
  // The server sets this where the operator has switched reports off (CLIENT_ERRORS).
  if (document.documentElement.dataset.clientErrors === 'off') return;
  loadReports()
    .then(send)
    // Without a network no report can be sent.
    .catch(() => undefined);
}
