import { changePassword, getProfile, login } from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Learner, PASSWORD, type TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

let app: TestApp;
openTestSite((opened) => {
  app = opened;
});

const NEW_PASSWORD = 'Green-desk-7';

const logIn = (email: string, password: string) =>
  app.inject({ method: login.method, url: login.path, payload: { email, password } });

const statusOf = async (token: string) =>
  (await app.inject({ url: getProfile.path, headers: { authorization: `Bearer ${token}` } }))
    .statusCode;

const change = (
  { headers }: Learner,
  newPassword: string,
  { currentPassword = PASSWORD, confirmNewPassword = newPassword } = {},
) =>
  app.inject({
    method: changePassword.method,
    url: changePassword.path,
    payload: { currentPassword, newPassword, confirmNewPassword },
    headers,
  });

describe('a change of password', () => {
  it('replaces the old one and ends the other log-ins, their seat included', async () => {
    const learner = await app.newLearner();
    const other = (await logIn(learner.email, PASSWORD)).json<{ token: string }>().token;
    const headers = { authorization: `Bearer ${other}` };
    await app.seat({ ...learner, token: other, headers });

    const answer = await change(learner, NEW_PASSWORD);
    expect(answer.json()).toEqual({ changed: true });
    expect(await statusOf(other)).toBe(401);
    expect(await statusOf(learner.token)).toBe(200);
    const { rows } = await sql`select from seat where user_id = ${learner.userId}`.execute(
      app.database,
    );
    expect(rows).toEqual([]);
    expect((await logIn(learner.email, PASSWORD)).statusCode).toBe(401);
    expect((await logIn(learner.email, NEW_PASSWORD)).statusCode).toBe(200);
  });

  it.each([
    ['wrongPassword', NEW_PASSWORD, { currentPassword: 'Wrong-lamp-42' }],
    ['wrongPassword', NEW_PASSWORD, { currentPassword: '' }],
    ['passwordsDiffer', NEW_PASSWORD, { confirmNewPassword: `${NEW_PASSWORD}8` }],
    ['weakPassword', 'short-1', {}],
    ['commonPassword', 'Password1!', {}],
  ])('answers %s to %j, %j, and changes nothing', async (error, newPassword, rest) => {
    const learner = await app.newLearner();
    const other = (await logIn(learner.email, PASSWORD)).json<{ token: string }>().token;
    expect((await change(learner, newPassword, rest)).json()).toMatchObject({ error });
    expect(await statusOf(other)).toBe(200);
    expect((await logIn(learner.email, PASSWORD)).statusCode).toBe(200);
  });

  it('has nothing to change in an account without a password', async () => {
    const learner = await app.newLearner();
    await sql`update users set password_hash = null where id = ${learner.userId}`.execute(
      app.database,
    );
    expect((await change(learner, NEW_PASSWORD)).json()).toMatchObject({
      error: 'passwordMissing',
    });
  });

  it('leaves no password in the log', async () => {
    const learner = await app.newLearner();
    await change(learner, NEW_PASSWORD);
    expect(app.logLines.filter((line) => line.includes(NEW_PASSWORD))).toEqual([]);
  });
});
