import { reportClientError } from '@mogakgong/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const request = vi.fn<(address: string, init: RequestInit) => Promise<Response>>(
  async () => new Response('{}'),
);
const own = `${location.origin}/assets/B6vB_-Nf.js`;
const failing = (stack: string, error = new TypeError('김철수')) =>
  Object.assign(error, { stack: `TypeError: 김철수\n${stack}` });
const sent = () => request.mock.calls.map(([, { body }]) => JSON.parse(String(body)));

/** A fresh page, with its own count of reports. */
async function newPage() {
  vi.resetModules();
  const [{ DownloadError }, reports] = await Promise.all([
    import('./import-chunk.ts'),
    import('./report-error.ts'),
  ]);
  return { ...reports, DownloadError };
}

beforeEach(() => {
  vi.stubGlobal('fetch', request);
  const script = document.createElement('script');
  script.type = 'module';
  script.src = '/assets/index-BtzyDAMP.js';
  document.head.append(script);
});
afterEach(() => {
  request.mockClear();
  document.head.replaceChildren();
});

test('a report has the error’s name and its place in our code, without the message or the rest of the stack', async () => {
  const { reportError } = await newPage();
  reportError('error', failing(`    at t (${own}:1:2345)\n    at https://example.org/x.js:1:2`));
  reportError('rejection', failing(`t@${own}:3:4`, new (class 김철수 extends Error {})('x')));
  expect(sent()).toEqual([
    {
      kind: 'error',
      type: 'TypeError',
      place: 'assets/B6vB_-Nf.js:1:2345',
      version: 'index-BtzyDAMP',
      browser: expect.stringMatching(/^(?:Chromium|Firefox|Safari|other)$/u),
    },
    expect.objectContaining({ kind: 'rejection', place: 'assets/B6vB_-Nf.js:3:4' }),
  ]);
  for (const body of sent()) expect(reportClientError.body.safeParse(body).success).toBe(true);
  expect(JSON.stringify(sent())).not.toContain('김철수');
});

test('errors of extensions and other origins, and downloads that failed, are not reported', async () => {
  const { reportError, DownloadError } = await newPage();
  reportError('error', failing(`    at chrome-extension://abc/x.js:1:2\n    at ${own}:1:2`));
  reportError('error', failing('    at https://example.org/assets/a.js:1:2'));
  reportError('error', failing('    at <anonymous>'));
  reportError('rejection', 'a word');
  reportError('rendering', failing(`    at ${own}:1:2`, new DownloadError('assets/a.js')));
  expect(sent()).toEqual([]);
});

test('a page reports an error once, and at most five errors', async () => {
  const { reportError } = await newPage();
  for (const line of [1, 1, 2, 3, 4, 5, 6]) reportError('error', failing(`at ${own}:${line}:1`));
  expect(sent().map(({ place }) => place.split(':')[1])).toEqual(['1', '2', '3', '4', '5']);
});

test('a violation of the content policy is reported without its address', async () => {
  const { reportViolation } = await newPage();
  const violation = (blockedURI: string, sourceFile = own) =>
    reportViolation({
      blockedURI,
      sourceFile,
      lineNumber: 1,
      columnNumber: blockedURI.length,
      effectiveDirective: 'style-src-attr',
    } as SecurityPolicyViolationEvent);
  violation('inline');
  violation('https://example.org/?name=kim');
  violation('inline', 'moz-extension');
  expect(sent()).toEqual([
    expect.objectContaining({ kind: 'policy', directive: 'style-src-attr', blocked: 'inline' }),
    expect.objectContaining({ blocked: 'foreign' }),
  ]);
});
