import {
  changeEmail,
  changePassword,
  finishPasswordReset,
  getProfile,
  login,
  type RouteDefinition,
  requestDeletion,
  signup,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import { newResetToken } from '../../../test/outbox.ts';
import { PASSWORD, signupPayload } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

const NEW_PASSWORD = 'Green-desk-7';

/** An account as its holder sees it. */
interface Account {
  readonly email: string;
  readonly password: string;
  readonly headers: { readonly authorization: string };
}

const send = ({ method, path: url }: RouteDefinition, payload: object, by?: Account) =>
  app.inject({ method, url, payload, ...(by && { headers: by.headers }) });

const finish = (token: string, newPassword = NEW_PASSWORD) =>
  send(finishPasswordReset, { token, newPassword, confirmNewPassword: newPassword });

async function logIn(email: string, password: string): Promise<Account> {
  const answer = await send(login, { email, password });
  expect(answer.statusCode).toBe(200);
  const { token } = answer.json<{ token: string }>();
  return { email, password, headers: { authorization: `Bearer ${token}` } };
}

async function signUp(email: string): Promise<Account> {
  expect((await send(signup, { ...signupPayload(), email })).statusCode).toBe(200);
  return logIn(email, PASSWORD);
}

/** An account with a proven e-mail. */
async function signUpProven(email: string): Promise<Account> {
  await signUp(email);
  expect((await finish(await newResetToken(app, email))).statusCode).toBe(200);
  return logIn(email, NEW_PASSWORD);
}

const newAddress = () => signupPayload().email;

const move = async (by: Account, newEmail: string) =>
  expect((await send(changeEmail, { newEmail }, by)).json()).toMatchObject({ email: newEmail });

async function deleteNow(account: Account): Promise<void> {
  expect((await send(requestDeletion, { delayDays: 0 }, account)).statusCode).toBe(200);
  app.clock.advance(60_000);
  await app.runJob('account deletions');
}

/** An act of the holder of an account; resolves to the account that then has its address. */
type Act = (account: Account) => Promise<Account>;

const changesPassword: Act = async (account) => {
  const newPassword = 'Other-chair-9';
  const passwords = { newPassword, confirmNewPassword: newPassword };
  const payload = { currentPassword: account.password, ...passwords };
  expect((await send(changePassword, payload, account)).statusCode).toBe(200);
  return { ...account, password: newPassword };
};
const movesAway: Act = async (account) => {
  await move(account, newAddress());
  return signUp(account.email);
};
const isDeleted: Act = async (account) => {
  await deleteNow(account);
  return signUp(account.email);
};
const isInCapitals: Act = async (account) => {
  await move(account, account.email.toUpperCase());
  return account;
};

describe('a link that sets a password', () => {
  it.each([
    ['changes its password', changesPassword],
    ['writes the address in capitals', isInCapitals],
    ['moves away, and another account takes the address', movesAway],
    ['is deleted, and the stranger signs up again', isDeleted],
  ])('stays good where the account of a stranger with the address %s', async (_, act) => {
    const squatter = await signUp(newAddress());
    const token = await newResetToken(app, squatter.email);
    const holder = await act(squatter);
    expect((await finish(token)).json()).toEqual({ changed: true });
    await logIn(squatter.email, NEW_PASSWORD);
    const profile = await app.inject({ url: getProfile.path, headers: holder.headers });
    expect(profile.statusCode).toBe(401);
    expect((await send(login, holder)).statusCode).toBe(401);
    expect((await finish(token)).json()).toMatchObject({ error: 'resetLinkEnded' });
  });

  it.each([
    ['changes its password', changesPassword],
    ['is deleted', isDeleted],
  ])('ends where an account with a proven address %s', async (_, act) => {
    const account = await signUpProven(newAddress());
    const token = await newResetToken(app, account.email);
    const holder = await act(account);
    expect((await finish(token)).json()).toMatchObject({ error: 'resetLinkEnded' });
    await logIn(account.email, holder.password);
    const { rows } = await sql`
      select from password_reset where email = ${account.email}`.execute(app.database);
    expect(rows).toEqual([]);
  });

  it('stays good where an account with a proven address writes it in capitals', async () => {
    const account = await signUpProven(newAddress());
    const token = await newResetToken(app, account.email);
    await isInCapitals(account);
    expect((await finish(token, 'Other-chair-9')).json()).toEqual({ changed: true });
  });

  it('does nothing to an account that has moved away, and waits for one with its address', async () => {
    const account = await signUpProven(newAddress());
    const token = await newResetToken(app, account.email);
    const newEmail = newAddress();
    await move(account, newEmail);
    expect((await finish(token)).json()).toMatchObject({ error: 'resetLinkEnded' });
    await logIn(newEmail, account.password);
    const other = await signUp(account.email);
    expect((await finish(token, 'Other-chair-9')).json()).toEqual({ changed: true });
    expect((await send(login, other)).statusCode).toBe(401);
    await logIn(newEmail, account.password);
  });

  it('does nothing to an account that is moving away, and can be used again', async () => {
    const account = await signUp(newAddress());
    const token = await newResetToken(app, account.email);
    const newEmail = newAddress();
    const { finishing } = await app.database.transaction().execute(async (mover) => {
      await sql`update users set email = ${newEmail} where email = ${account.email}`.execute(mover);
      const finishing = finish(token);
      await untilLocked(app.database, 1, 'for no key update');
      return { finishing };
    });
    expect((await finishing).json()).toMatchObject({ error: 'resetLinkEnded' });
    await logIn(newEmail, PASSWORD);
    await signUp(account.email);
    expect((await finish(token)).json()).toEqual({ changed: true });
  });
});
