import { expect, test } from 'vitest';
import { readStackEnv } from './env.ts';
import { createLogger } from './logger.ts';
import { provideSocialLogins } from './social-logins.ts';

async function variablesWith(source: Record<string, string>) {
  await using started = new AsyncDisposableStack();
  const options = { env: readStackEnv(source), logger: createLogger('silent'), started };
  return await provideSocialLogins(options);
}

test('in development a double answers for the providers that are not configured', async () => {
  const variables = await variablesWith({ KAKAO_CLIENT_ID: 'own' });
  expect(Object.keys(variables)).toEqual([
    'GOOGLE_CLIENT_ID',
    'GOOGLE_CLIENT_SECRET',
    'GOOGLE_URL',
    'NAVER_CLIENT_ID',
    'NAVER_CLIENT_SECRET',
    'NAVER_URL',
  ]);
  expect(variables.GOOGLE_URL).toMatch(/^http:\/\/localhost:\d+\/google$/u);
});

test('in production, and for a site with an address, it is not there', async () => {
  expect(await variablesWith({ NODE_ENV: 'production' })).toEqual({});
  expect(await variablesWith({ PUBLIC_URL: 'https://study.example.org' })).toEqual({});
});
