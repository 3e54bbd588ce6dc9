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

test('a number that is none is refused', () => {
  expect(() => readStackEnv({ PORT: '70000', API_PROCESSES: 'many' })).toThrow(
    /^API_PROCESSES: must be a whole number from 1 to 64\.\nPORT: must be a whole number from 0 to 65535\.$/,
  );
});
