import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { requestPasswordReset } from '@mogakgong/contract';
import { expect, vi } from 'vitest';
import type { TestApp } from './test-app.ts';

/** The mails in the outbox of an app, in order of writing. */
export async function readMails({ env }: TestApp): Promise<string[]> {
  const folder = env.MAIL_OUTBOX_DIR;
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.sort().map((name) => readFile(path.join(folder, name), 'utf8')));
}

/** The mails to one address. */
export async function mailsTo(app: TestApp, address: string): Promise<string[]> {
  return (await readMails(app)).filter((mail) => mail.startsWith(`To: ${address}\n`));
}

/** The Korean halves of their subjects. */
export async function subjectsTo(app: TestApp, address: string): Promise<(string | undefined)[]> {
  const mails = await mailsTo(app, address);
  return mails.map((mail) => /Subject: \[모각공\] (.*) \//u.exec(mail)?.[1]);
}

/** Asks for a new password for an address; the token of the link that its mail brings. */
export async function newResetToken(app: TestApp, email: string): Promise<string> {
  const readTokens = async () =>
    (await mailsTo(app, email)).flatMap((mail) => /#token=([\w-]{43})\n/u.exec(mail)?.[1] ?? []);
  const before = (await readTokens()).length;
  const { method, path: url } = requestPasswordReset;
  await app.inject({ method, url, payload: { email } });
  return vi.waitFor(async () => {
    const tokens = await readTokens();
    expect(tokens).toHaveLength(before + 1);
    return String(tokens.at(-1));
  });
}
