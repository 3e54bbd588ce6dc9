import { checkEmail, errors, getProfile, login, signup } from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { PASSWORD, signupPayload } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { PasswordWork } from './password-work.ts';

const { app } = await openTestSite();

const signUp = (payload: object) =>
  app.inject({ method: signup.method, url: signup.path, payload });
const check = (email: string) =>
  app.inject({ method: checkEmail.method, url: checkEmail.path, payload: { email } });

describe('sign-up (specification §3, §5)', () => {
  it('creates an account with the defaults and stores each consent with version and time', async () => {
    const payload = signupPayload();
    const answer = await signUp(payload);
    expect(answer.statusCode).toBe(200);
    const { userId } = answer.json<{ userId: number }>();

    const { rows: users } = await sql<Record<string, unknown>>`
      select * from users where id = ${userId}`.execute(app.database);
    expect(users[0]).toMatchObject({
      email: payload.email,
      nickname: payload.nickname,
      introduction: '안녕하세요!',
      profile_image: 'default.jpg',
      social_provider: 'LOCAL',
    });
    expect(users[0]?.password_hash).toMatch(/^\$argon2id\$/u);
    const { rows: consents } = await sql<Record<string, unknown>>`
      select name, version, accepted_at from consent where user_id = ${userId} order by name`.execute(
      app.database,
    );
    expect(consents.map((row) => row.name)).toEqual(['age', 'privacy', 'terms']);
    for (const consent of consents) {
      expect(consent.version).toMatch(/^\d{4}-\d\d-\d\d$/u);
      expect(consent.accepted_at).toEqual(app.clock.now());
    }
  });

  it.each([
    ['signupFieldsMissing', { email: '' }],
    ['signupFieldsMissing', { password: '' }],
    ['signupFieldsMissing', { nickname: '   ' }],
    ['consentsMissing', { consents: { age: true, terms: true, privacy: false } }],
    ['consentsMissing', { consents: { age: false, terms: true, privacy: true } }],
    ['consentsMissing', { consents: undefined }],
    ['emailMalformed', { email: 'no at sign' }],
    ['emailMalformed', { email: 'kİm@example.org' }],
    ['emailMalformed', { email: 'kim\u200b@example.org' }],
    ['emailMalformed', { email: 'kim@exаmple.org' }],
    ['emailMalformed', { email: 'kim@example.org.' }],
    ['weakPassword', { password: 'abc123!' }],
    ['weakPassword', { password: 'onlyletters!' }],
    ['weakPassword', { password: '12345678!' }],
    ['weakPassword', { password: 'abcd12345' }],
    ['commonPassword', { password: 'Password123!' }],
    ['commonPassword', { password: 'P@ssw0rd!1' }],
    ['commonPassword', { password: '1q2w3e4r!' }],
    ['commonPassword', { password: 'Mogakgong2026!' }],
    ['nicknameMalformed', { nickname: 'x'.repeat(21) }],
    ['nicknameMalformed', { nickname: 'two\nlines' }],
    ['nicknameMalformed', { nickname: 'hidden\u202ename' }],
    ['nicknameMalformed', { nickname: '\u3164' }],
    ['nicknameMalformed', { nickname: '\u2800\u2800' }],
    ['nicknameMalformed', { nickname: 'a\u115fb' }],
    ['nicknameMalformed', { nickname: 'lamp\ufffc' }],
    ['nicknameMalformed', { nickname: 'lamp\ue000' }],
    ['nicknameMalformed', { nickname: `z${'\u0335'.repeat(3)}` }],
    ['nicknameMalformed', { nickname: '\u0335lamp' }],
    ['nicknameTaken', { nickname: '관리자' }],
    ['nicknameTaken', { nickname: '모각공 운영자1' }],
    ['nicknameTaken', { nickname: 'Admin' }],
    ['nicknameTaken', { nickname: 'аdmіn 2' }],
    ['nicknameTaken', { nickname: 'ＡＤＭ１Ｎ' }],
    ['nicknameTaken', { nickname: 'Mogakgong Team' }],
    ['nicknameTaken', { nickname: '운영팀' }],
    ['nicknameTaken', { nickname: '공지' }],
    ['nicknameTaken', { nickname: '탈퇴한 사람' }],
    ['invalidRequest', { introduction: 'a\u0000b' }],
    ['invalidRequest', { email: 12 }],
    ['invalidRequest', { password: 'x'.repeat(129) }],
    ['invalidRequest', { socialProvider: 'GOOGLE' }],
  ] as const)('answers %s to %j', async (row, change) => {
    const answer = await signUp({ ...signupPayload(), ...change });
    const { status, code, ko } = errors[row];
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({ message: ko, error: row, errorCode: code });
  });

  it('refuses a taken e-mail and a taken nickname, whatever the case', async () => {
    const payload = { ...signupPayload(), nickname: 'Lamp Keeper' };
    await signUp(payload);
    const sameEmail = await signUp({ ...signupPayload(), email: payload.email.toUpperCase() });
    expect(sameEmail.json()).toMatchObject({
      error: 'emailTaken',
      message: '이미 존재하는 정보입니다.',
    });
    const sameName = await signUp({ ...signupPayload(), nickname: ' lamp  keeper ' });
    expect(sameName.json()).toMatchObject({ error: 'nicknameTaken' });
  });

  it('hashes no password for what is taken', async () => {
    const taken = signupPayload();
    await signUp(taken);
    const hashing = vi.spyOn(PasswordWork.prototype, 'do');
    try {
      for (const same of [{ email: taken.email }, { nickname: taken.nickname }]) {
        expect((await signUp({ ...signupPayload(), ...same })).statusCode).toBe(409);
      }
      expect(hashing).not.toHaveBeenCalled();
      await signUp(signupPayload());
      expect(hashing).toHaveBeenCalledOnce();
    } finally {
      hashing.mockRestore();
    }
  });

  it('refuses a nickname that looks like a taken one', async () => {
    await signUp({ ...signupPayload(), nickname: 'Paul Jülich' });
    for (const nickname of ['раul julісh', 'ＰＡＵＬ　Ｊulich', 'Pau1 Julich', 'PAUL JULıCH']) {
      const answer = await signUp({ ...signupPayload(), nickname });
      expect([nickname, answer.json()]).toMatchObject([nickname, { error: 'nicknameTaken' }]);
    }
  });

  it.each([
    'ㅋㅋ',
    '한글 이름',
    'かがり',
    'がかり',
    'สมชาย',
    'Badminton',
    '공부는 힘들어',
    'naïve café',
  ])('takes %s as it is', async (nickname) => {
    expect((await signUp({ ...signupPayload(), nickname })).statusCode).toBe(200);
  });

  it('lets one of two simultaneous sign-ups win', async () => {
    const payload = signupPayload();
    const answers = await Promise.all([signUp(payload), signUp(payload), signUp(payload)]);
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409]);
  });

  it('speaks English to those who ask for it', async () => {
    const answer = await app.inject({
      method: signup.method,
      url: signup.path,
      payload: { ...signupPayload(), password: 'weak' },
      headers: { 'accept-language': 'en-GB,en;q=0.9,ko;q=0.5' },
    });
    expect(answer.json()).toMatchObject({ message: errors.weakPassword.en });
  });
});

describe('the duplicate check', () => {
  it('is real: free, taken, missing and malformed addresses', async () => {
    const payload = signupPayload();
    expect((await check(payload.email)).json()).toEqual({ available: true });
    await signUp(payload);
    expect((await check(payload.email.toUpperCase())).json()).toMatchObject({
      error: 'emailTaken',
    });
    expect((await check('  ')).json()).toMatchObject({ error: 'emailMissing' });
    expect((await check('a b@c.d')).json()).toMatchObject({ error: 'emailMalformed' });
  });
});

describe('the profile', () => {
  it('is the caller’s own, in one query', async () => {
    const learner = await app.newLearner();
    app.queries.splice(0);
    const answer = await app.inject({ url: getProfile.path, headers: learner.headers });
    expect(answer.json()).toEqual({
      userId: learner.userId,
      email: learner.email,
      nickname: learner.nickname,
      introduction: '안녕하세요!',
      profileImage: 'default.jpg',
      hasPassword: true,
      role: 'member',
      selectedTitle: { key: 'no-title', name: '대표 칭호를 설정해주세요!', icon: '' },
      hasWonTitle: false,
      hasFriendRequest: false,
    });
    expect(app.queries).toHaveLength(1);
  });

  it('answers U001 when the account is gone', async () => {
    const learner = await app.newLearner();
    await sql`delete from users where id = ${learner.userId}`.execute(app.database);
    const answer = await app.inject({ url: getProfile.path, headers: learner.headers });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ errorCode: 'U001' });
  });
});

describe('passwords', () => {
  it('never reach the log', async () => {
    const payload = signupPayload();
    await signUp(payload);
    await app.inject({ method: login.method, url: login.path, payload });
    expect(app.logLines.join('')).not.toContain(PASSWORD);
  });
});
