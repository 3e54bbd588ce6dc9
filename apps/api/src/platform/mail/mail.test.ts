import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTinyDisk } from '../../../test/full-disk.ts';
import { type ReceivedMail, startMailServer, textOfMail } from '../../../test/mail-server.ts';
import { createLogger } from '../logger/index.ts';
import { createMailer } from './index.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mogakgong-mail-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const from = '모각공 <study@example.org>';
const mail = { to: 'kim@example.org', subject: '비밀번호', text: '주소: http://x/#token=secret\n' };

function mailerTo(port: number) {
  const smtpUrl = `smtp://127.0.0.1:${port}`;
  const logger = createLogger('silent');
  return createMailer({ smtpUrl, from, outboxDir: folder, logger });
}

it('sends to the mail server, to one address alone, and writes no file', async () => {
  const received: ReceivedMail[] = [];
  const server = await startMailServer(received);
  try {
    const mailer = mailerTo((server.server.address() as AddressInfo).port);
    expect(mailer.isSending).toBe(true);
    await mailer.send(mail);
    await mailer.send({ ...mail, to: 'kim<lee@example.org' }).catch(() => undefined);
    await mailer.send({ ...mail, replyTo: 'park@example.org' });
    expect(received[0]?.recipients).toEqual(['kim@example.org']);
    expect(received.flatMap(({ recipients }) => recipients)).not.toContain('lee@example.org');
    const [first] = received;
    if (!first) throw new Error('nothing was received');
    const [head = ''] = first.source.split('\r\n\r\n');
    expect(head).toContain('To: kim@example.org');
    expect(head).toContain('Content-Type: text/plain; charset=utf-8');
    expect(head).toContain('Content-Transfer-Encoding: quoted-printable');
    expect(textOfMail(first)).toContain('주소: http://x/#token=secret');
    expect(head).not.toContain('Reply-To');
    expect(received.at(-1)?.source).toContain('Reply-To: park@example.org');
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

it('says when the mail server refuses, or is away', async () => {
  const server = await startMailServer([]);
  const mailer = mailerTo((server.server.address() as AddressInfo).port);
  const refused = await mailer.send({ ...mail, to: 'nobody@example.org' }).catch(String);
  expect(refused).toContain('no such mailbox: <***>');
  expect(refused).not.toContain('nobody');
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await expect(mailer.send(mail)).rejects.toThrow();
});

it('deletes kept mails that are old, also once there is a server', async () => {
  const logger = createLogger('silent');
  const options = { from, outboxDir: folder, logger };
  const outbox = createMailer({ ...options, smtpUrl: undefined });
  await outbox.send(mail);
  const [old = ''] = await readdir(folder);
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000);
  await utimes(path.join(folder, old), daysAgo(31), daysAgo(31));
  await outbox.send(mail);
  await mailerTo(1).deleteKept(daysAgo(30));
  const left = await readdir(folder);
  expect([left.length, left.includes(old)]).toEqual([1, false]);
  await createMailer({ ...options, outboxDir: 'absent', smtpUrl: undefined }).deleteKept(
    daysAgo(0),
  );
});

it('keeps mails as text in the outbox without a server, and no word of them in the log', async () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const outboxDir = path.join(folder, 'outbox');
  const mailer = createMailer({ smtpUrl: undefined, from, outboxDir, logger });
  expect(mailer.isSending).toBe(false);
  await mailer.send(mail);
  const [name = '', ...rest] = await readdir(outboxDir);
  expect(rest).toEqual([]);
  const file = path.join(outboxDir, name);
  expect(await readFile(file, 'utf8')).toBe(
    'To: kim@example.org\nSubject: 비밀번호\n\n주소: http://x/#token=secret\n',
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(outboxDir)).mode & 0o777).toBe(0o700);
  expect(lines.join()).toContain(name);
  expect(lines.join()).not.toContain('secret');
});

it('leaves no part of a mail in an outbox on a full disk', async (test) => {
  using disk = openTinyDisk();
  if (disk === null) return test.skip();
  const logger = createLogger('silent');
  const outbox = createMailer({ smtpUrl: undefined, from, outboxDir: disk.folder, logger });
  const sending = outbox.send({ ...mail, text: 'x'.repeat(20_000) });
  await expect(sending).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await readdir(disk.folder)).toEqual([]);
});
