import { reportClientError } from '@mogakgong/contract';
import { expect, it } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { openTestSite } from '../../test/test-site.ts';

const { app } = await openTestSite({ env: { RATE_LIMIT_SCALE: '1' } });

const fault = {
  kind: 'error',
  type: 'TypeError',
  place: 'assets/B6vBqUNf.js:1:2345',
  version: 'index-BtzyDAMP',
  browser: 'Firefox',
} as const;

const send = (body: object, address: string, site = app) =>
  site.inject({
    method: reportClientError.method,
    url: reportClientError.path,
    payload: body,
    remoteAddress: address,
  });

/** The faults in the log. */
const logged = ({ logLines } = app) =>
  logLines.filter((line) => line.includes('"clientError"')).map((line) => JSON.parse(line));

it('is logged as one line without anything of the sender', async () => {
  const before = logged().length;
  const answer = await send({ ...fault, message: '제 이름은 김철수', userId: 1 }, '198.51.100.1');
  expect(answer.statusCode).toBe(200);
  expect(logged().slice(before)).toEqual([
    { level: 'warn', time: expect.any(String), clientError: fault, msg: 'a fault of a page' },
  ]);
});

it.each([
  { place: 'https://example.org/assets/a.js:1:2' },
  { place: 'assets/../a.js:1:2' },
  { place: 'assets/a.js:1:2 김철수' },
  { place: undefined },
  { type: '김철수' },
  { version: '김철수' },
  { browser: 'Mozilla/5.0 (X11)' },
  { directive: 'script-src https://example.org/?name=kim' },
  { blocked: 'https://example.org/' },
])('refuses %j, which could hold more than what and where', async (wrong) => {
  const before = logged().length;
  expect((await send({ ...fault, ...wrong }, '198.51.100.2')).statusCode).toBe(400);
  expect(logged()).toHaveLength(before);
});

it('is limited by address', async () => {
  for (let round = 0; round < reportClientError.limit.max; round += 1) {
    expect((await send(fault, '198.51.100.3')).statusCode).toBe(200);
  }
  expect((await send(fault, '198.51.100.3')).statusCode).toBe(429);
});

it('is not logged where the operator says so', async () => {
  const silent = await createTestApp({ env: { CLIENT_ERRORS: 'false' } });
  try {
    expect((await send(fault, '198.51.100.4', silent)).statusCode).toBe(200);
    expect(logged(silent)).toEqual([]);
  } finally {
    await silent.close();
  }
});
