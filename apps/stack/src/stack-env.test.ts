import { expect, test } from 'vitest';
import { readStackEnv } from './env.ts';

test('nothing is needed: one API process on port 3000', () => {
  expect(readStackEnv({})).toMatchObject({ apiProcesses: 1, port: 3000, host: '0.0.0.0' });
});

test('several processes need a Redis', () => {
  expect(() => readStackEnv({ API_PROCESSES: '2' })).toThrow(
    'API_PROCESSES: more than one needs REDIS_URL, which connects them.',
  );
  expect(readStackEnv({ API_PROCESSES: '2', REDIS_URL: 'redis://x' }).apiProcesses).toBe(2);
});

test('several machines need one AUTH_SECRET and one LiveKit, which one line says', () => {
  const several = { REDIS_URL: 'redis://x', DATABASE_URL: 'postgres://x' };
  expect(() => readStackEnv(several)).toThrow(
    /^REDIS_URL: .* the same AUTH_SECRET and LIVEKIT_URL: set it as well\.$/,
  );
  expect(() => readStackEnv({ ...several, AUTH_SECRET: 'x' })).toThrow(/the same LIVEKIT_URL:/);
  readStackEnv({ ...several, AUTH_SECRET_FILE: '/x', LIVEKIT_URL: 'wss://x' });
});

test('each API process has a port of its own for metrics, if any', () => {
  expect(readStackEnv({}).metricsOf(1)).toEqual({});
  expect(readStackEnv({ METRICS_PORT: '0' }).metricsOf(1)).toEqual({});
  const { metricsOf } = readStackEnv({ METRICS_PORT: '9464' });
  expect([metricsOf(0), metricsOf(2)]).toEqual([
    { METRICS_PORT: '9464' },
    { METRICS_PORT: '9466' },
  ]);
});

test('a number that is none is refused', () => {
  expect(() => readStackEnv({ PORT: '70000', API_PROCESSES: 'many' })).toThrow(
    /^API_PROCESSES: must be a whole number from 1 to 64\.\nPORT: must be a whole number from 0 to 65535\.$/,
  );
});

test.each([
  ['turn:turn.example.org', { host: 'turn.example.org', port: 3478, protocol: 'udp' }],
  ['turn:192.0.2.1:80?transport=tcp', { host: '192.0.2.1', port: 80, protocol: 'tcp' }],
  ['turns:turn.example.org:443', { host: 'turn.example.org', port: 443, protocol: 'tls' }],
])('the TURN server %s is read', (url, place) => {
  expect(readStackEnv({ TURN_URL: url, TURN_SECRET: 's' }).turn).toEqual({ ...place, secret: 's' });
  const named = { TURN_URL: url, TURN_USERNAME: 'u', TURN_CREDENTIAL: 'c' };
  expect(readStackEnv(named).turn).toEqual({ ...place, username: 'u', credential: 'c' });
});

test('a TURN server that nobody could use is refused', () => {
  expect(() => readStackEnv({ TURN_URL: 'https://turn.example.org' })).toThrow(
    /^TURN_URL: must be/,
  );
  expect(() => readStackEnv({ TURN_URL: 'turn:x', TURN_USERNAME: 'u' })).toThrow(
    'TURN_URL: needs TURN_SECRET, or TURN_USERNAME and TURN_CREDENTIAL.',
  );
});
