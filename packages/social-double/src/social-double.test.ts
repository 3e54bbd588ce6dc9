import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerOf, SocialDouble } from './index.ts';

const REDIRECT_URI = 'http://localhost:1/callback';
const VERIFIER = 'v'.repeat(43);
const person = { name: '김하늘', email: 'haneul@example.org', isEmailVerified: false };

let double: SocialDouble;
beforeAll(async () => {
  double = await SocialDouble.start({ port: 0, clientId: 'us', clientSecret: 'secret' });
});
afterAll(() => double.close());

const paths = {
  google: { authorize: '/o/oauth2/v2/auth', token: '/token' },
  kakao: { authorize: '/oauth/authorize', token: '/oauth/token' },
  naver: { authorize: '/oauth2.0/authorize', token: '/oauth2.0/token' },
} as const;
type Provider = keyof typeof paths;

function authorizationUrl(provider: Provider, change: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: 'us',
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    state: 's',
    scope: 'openid',
    nonce: 'n',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  });
  return `${double.urlOf(provider)}${paths[provider].authorize}?${query}`;
}

async function newCode(provider: Provider): Promise<string> {
  const answer = await answerOf(authorizationUrl(provider), person);
  return answer.searchParams.get('code') ?? '';
}

async function exchange(provider: Provider, change: Record<string, string>) {
  const answer = await fetch(double.urlOf(provider) + paths[provider].token, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'us',
      client_secret: 'secret',
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      ...change,
    }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const profileOf = async (provider: Provider, path: string, token: unknown) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(double.urlOf(provider) + path, { headers })).json();
};

test('Google sends an ID token with the nonce, for the client', async () => {
  const { body } = await exchange('google', { code: await newCode('google') });
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3599 });
  expect(decodeJwt(String(body.id_token))).toMatchObject({
    iss: double.urlOf('google'),
    aud: 'us',
    nonce: 'n',
    email: person.email,
    email_verified: false,
  });
});

test('Kakao describes a person by an account object, with what they share', async () => {
  const { body } = await exchange('kakao', { code: await newCode('kakao') });
  expect(body).toMatchObject({ token_type: 'bearer', expires_in: 21_599 });
  expect(await profileOf('kakao', '/v2/user/me', body.access_token)).toMatchObject({
    id: expect.any(Number),
    kakao_account: {
      has_email: true,
      is_email_valid: true,
      is_email_verified: false,
      email: person.email,
      profile: { nickname: person.name },
    },
  });
  expect(await profileOf('kakao', '/v2/user/me', 'another')).toEqual({ error: 'invalid_token' });
});

test('Naver says how long a token lasts as a text, and wraps the person in an envelope', async () => {
  const { body } = await exchange('naver', { code: await newCode('naver') });
  expect(body).toMatchObject({ token_type: 'bearer', expires_in: '3600' });
  expect(await profileOf('naver', '/v1/nid/me', body.access_token)).toMatchObject({
    resultcode: '00',
    response: { id: expect.any(String), nickname: person.name, email: person.email },
  });
});

test.each([
  ['google', 400],
  ['kakao', 400],
  ['naver', 200],
] as const)(
  '%s takes a code once, with its client, verifier and address',
  async (provider, status) => {
    const code = await newCode(provider);
    expect((await exchange(provider, { code })).body).toHaveProperty('access_token');
    const again = await exchange(provider, { code });
    expect(again).toMatchObject({ status, body: { error: expect.any(String) } });
    const wrongs: Record<string, string>[] = [
      { code_verifier: 'x' },
      { redirect_uri: 'http://localhost:2/callback' },
    ];
    for (const wrong of wrongs) {
      const refused = await exchange(provider, { code: await newCode(provider), ...wrong });
      expect(refused.body).not.toHaveProperty('access_token');
    }
    const stranger = await exchange(provider, {
      code: await newCode(provider),
      client_secret: 'x',
    });
    expect(stranger).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  },
);

test.each<Record<string, string>>([
  { client_id: 'another' },
  { redirect_uri: 'https://evil.example.org/callback' },
  { state: '' },
  { nonce: '' },
  { code_challenge_method: 'plain' },
])('a browser that comes with %j gets no page', async (change) => {
  const page = await fetch(authorizationUrl('google', change));
  expect(page.status).toBe(400);
  await expect(answerOf(authorizationUrl('google', change), person)).rejects.toThrow('refused');
});

test('the page says that it is a double, and repeats nothing as markup', async () => {
  const page = await fetch(authorizationUrl('kakao', { state: '"><script>' }));
  const html = await page.text();
  expect(html).toContain('개발용 대역');
  expect(html).not.toContain('"><script>');
});

test('a person who declines comes back with access_denied', async () => {
  const answer = await answerOf(authorizationUrl('naver'), null);
  expect(Object.fromEntries(answer.searchParams)).toEqual({ error: 'access_denied', state: 's' });
});
