/**
 * Why there is no camera picture. Each cause has its own words and its own way out:
 * `denied` by the person in the browser · `blockedBySystem` by the operating system · `inUse` by
 * another program or tab · `missing` · `insecure` page (browsers give cameras to https and localhost
 * only) · `unplugged` while it was on · `unknown`.
 */
export type CameraProblem =
  | 'denied'
  | 'blockedBySystem'
  | 'inUse'
  | 'missing'
  | 'insecure'
  | 'unplugged'
  | 'unknown';

/** By the names of `getUserMedia` errors. */
const problemOfName: Readonly<Record<string, CameraProblem>> = {
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'inUse',
  AbortError: 'inUse',
  NotAllowedError: 'denied',
  SecurityError: 'denied',
};

/** The cause behind a failed `getUserMedia`. Chromium says in the message when the system refused. */
export function cameraProblem(error: unknown): CameraProblem {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  const problem = problemOfName[name] ?? 'unknown';
  return problem === 'denied' && /by system/iu.test(message) ? 'blockedBySystem' : problem;
}
