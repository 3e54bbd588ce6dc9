import { errors } from '@mogakgong/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { TestSignalling, tryPath } from '../../features/media/connection-path.ts';
import { DiagnosticsRun } from './checks.ts';
import { reportOf } from './diagnostics-page.tsx';

// Its behaviour in a browser has its own tests and the journey of the connection check.
vi.mock('../../features/media/connection-path.ts');

const answer = vi.fn<() => Response>();
beforeEach(() => {
  vi.stubGlobal('fetch', async () => answer());
  answer.mockReturnValue(Response.json({ token: 't', serverUrl: '/livekit' }));
  vi.mocked(TestSignalling.open).mockResolvedValue({ close: vi.fn() } as never);
});
afterEach(() => vi.resetAllMocks());

/** A media server that names an address and is unreachable there. */
function answerFrom(address: string) {
  vi.mocked(tryPath).mockImplementation((_signalling, _path, _measureMs, onServer) => {
    onServer([address]);
    return Promise.reject(new Error('no path stands'));
  });
}

test.each([
  ['tooManyRequests', 429],
  ['mediaUnavailable', 503],
] as const)(
  'a test refused with %s is explained in the words of the answer',
  async (name, status) => {
    const { code, ko: message } = errors[name];
    answer.mockReturnValue(refusal(name));
    const signalling = await new DiagnosticsRun(true).run('signalling');
    expect(signalling).toEqual({
      state: 'failed',
      text: 'result.refused',
      values: { status, code },
      message,
    });
    const report = reportOf({ signalling });
    expect(report).toContain(`signalling: failed refused status=${status} code=${code}\n`);
    expect(report).not.toContain(message);
  },
);

test.each([
  ['192.168.0.2', 'udp', 'result.path.private', 'private'],
  ['192.168.0.2', 'tcp', 'result.path.private', 'private'],
  ['203.0.113.7', 'udp', 'result.udp.failed', 'public'],
] as const)(
  'a media server at %s that %s does not reach: %s',
  async (address, path, text, server) => {
    answerFrom(address);
    const run = new DiagnosticsRun(true);
    await run.run('signalling');
    const outcome = await run.run(path);
    expect(outcome).toEqual({ state: 'warning', text, values: { server } });
    expect(reportOf({ [path]: outcome })).not.toContain(address);
  },
);

test('a media server that stops between two paths is not reported as a blocked path', async () => {
  const run = new DiagnosticsRun(true);
  await run.run('signalling');
  vi.mocked(TestSignalling.open).mockRejectedValue(new Error('closed'));
  expect(await run.run('udp')).toEqual({
    state: 'failed',
    text: 'result.signalling.failed',
    values: {},
  });
});

test('a browser without WebRTC, like that of these tests, fails with the names of the missing features', async () => {
  const { state, values } = await new DiagnosticsRun(false).run('browser');
  expect(state).toBe('failed');
  expect(values?.parts).toContain('VP8');
});
