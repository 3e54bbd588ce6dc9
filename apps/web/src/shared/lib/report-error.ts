import { type ClientError, isErrorType, reportClientError } from '@mogakgong/contract';
import { DownloadError } from './import-chunk.ts';

/** Further reports of a failing page tell nothing new. */
const REPORTS_PER_PAGE = 5;
const sent = new Set<string>();

/** The first address with line and column in a stack is where the error was thrown. */
const FRAME = /[\w-]+:\/\/[^\s()]+:\d+:\d+/u;

/**
 * Reports an error of the page: its name, and its place in our own code. Errors of extensions and other
 * origins are not ours, and failed downloads are shown to the learner.
 */
export function reportError(kind: ClientError['kind'], error: unknown): void {
  if (error instanceof DownloadError || !(error instanceof Error)) return;
  const place = ownPlace(FRAME.exec(error.stack ?? '')?.[0] ?? '');
  if (place) send({ kind, place, ...(isErrorType(error.name) && { type: error.name }) });
}

/** Reports a violation of the content policy by our own code. */
export function reportViolation(event: SecurityPolicyViolationEvent): void {
  const { sourceFile, lineNumber, columnNumber, effectiveDirective: directive } = event;
  const place = ownPlace(`${sourceFile}:${lineNumber}:${columnNumber}`);
  if (place) send({ kind: 'policy', place, directive, blocked: blockedKind(event.blockedURI) });
}

function blockedKind(uri: string): NonNullable<ClientError['blocked']> {
  const word = (['inline', 'eval', 'data', 'blob'] as const).find((each) => uri.startsWith(each));
  return word ?? (uri.startsWith(location.origin) ? 'own' : 'foreign');
}

/** The file of our build, line and column; undefined for anything else. */
function ownPlace(frame: string): string | undefined {
  const start = `${location.origin}/`;
  const place = frame.startsWith(start) ? frame.slice(start.length) : '';
  return /^assets\/[\w-]+\.js:\d+:\d+$/u.test(place) ? place : undefined;
}

function send(fault: Omit<ClientError, 'version' | 'browser'>): void {
  const what = JSON.stringify(fault);
  if (sent.has(what) || sent.size >= REPORTS_PER_PAGE) return;
  sent.add(what);
  const body: ClientError = { ...fault, version: buildVersion(), browser: browserFamily() };
  fetch(reportClientError.path, {
    method: reportClientError.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: true,
    credentials: 'omit',
    // A lost report is not worth another one.
  }).catch(() => undefined);
}

function buildVersion(): string {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';
  return /\/(?<name>[\w-]+)\.js$/u.exec(entry)?.groups?.name ?? 'unknown';
}

function browserFamily(): ClientError['browser'] {
  const { userAgent } = navigator;
  if (/Chrom(?:e|ium)\//u.test(userAgent)) return 'Chromium';
  if (/\bFirefox\//u.test(userAgent)) return 'Firefox';
  return /\bSafari\//u.test(userAgent) ? 'Safari' : 'other';
}
