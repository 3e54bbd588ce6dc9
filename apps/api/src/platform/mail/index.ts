import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from '../logger/index.ts';
import type { Metrics } from '../metrics/index.ts';

/** A mail to one person, in plain text. */
export interface Mail {
  readonly to: string;
  /** The address for replies, if not the sender's. */
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Whether mails are sent; otherwise only the operator can read them. */
  readonly isSending: boolean;
  /** Rejects if the mail server refuses it, with an error without addresses. */
  send(mail: Mail): Promise<void>;
  /** Deletes the mails that were kept in the outbox before a time. */
  deleteKept(before: Date): Promise<void>;
}

interface MailerOptions {
  /** The mail server; without it mails are written to `outboxDir`. */
  readonly smtpUrl: string | undefined;
  readonly from: string | undefined;
  readonly outboxDir: string;
  readonly logger: Logger;
  readonly metrics?: Metrics | null;
}

/** A mail server that does not answer within this time counts as away. */
const SMTP_TIMEOUT_MS = 20_000;

export function createMailer(options: MailerOptions): Mailer {
  const mailer = options.smtpUrl === undefined ? createOutbox(options) : createSender(options);
  return {
    ...mailer,
    send: options.metrics ? counted(mailer, options.metrics) : mailer.send,
    deleteKept: (before) => deleteFiles(options.outboxDir, before),
  };
}

function counted({ send, isSending }: SendingMailer, { mails }: Metrics): Mailer['send'] {
  const outcome = isSending ? 'sent' : 'kept';
  for (const one of [outcome, 'failed']) mails.inc({ outcome: one }, 0);
  return async (mail) => {
    try {
      await send(mail);
      mails.inc({ outcome });
    } catch (error) {
      mails.inc({ outcome: 'failed' });
      throw error;
    }
  };
}

async function deleteFiles(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found?.isFile() && found.mtime < before) await rm(file, { force: true });
  }
}

/** Servers repeat the refused address in their answer; an error is logged. */
function withoutAddresses(error: unknown): Error {
  const { message } = error as Error;
  return new Error(message.replaceAll(/[^\s<>"'=:;,]+@[^\s<>"':;,]+/gu, '***'));
}

type SendingMailer = Omit<Mailer, 'deleteKept'>;

function createSender({ smtpUrl, from }: MailerOptions): SendingMailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    isSending: true,
    async send({ to, replyTo, subject, text }) {
      // As objects: a text would be parsed, and could add another recipient.
      const mail = {
        from,
        to: { name: '', address: to },
        ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
        subject,
        text,
      };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw withoutAddresses(error);
      });
    },
  };
}

/**
 * Keeps mails in files that only their owner can read; the log contains only the name of the file, as they
 * contain secrets.
 */
function createOutbox({ outboxDir, logger }: MailerOptions): SendingMailer {
  return {
    isSending: false,
    async send({ to, replyTo, subject, text }) {
      const answer = replyTo === undefined ? '' : `Reply-To: ${replyTo}\n`;
      const time = new Date().toISOString().replaceAll(':', '-');
      const file = path.join(outboxDir, `${time}-${randomUUID()}.txt`);
      await mkdir(outboxDir, { recursive: true, mode: 0o700 });
      const kept = `To: ${to}\n${answer}Subject: ${subject}\n\n${text}`;
      await writeFile(file, kept, { mode: 0o600 }).catch(async (error: unknown) => {
        // On a full disk a part of it, or an empty file, is left.
        await rm(file, { force: true });
        throw error;
      });
      logger.info({ file }, 'SMTP_URL is not set: kept a mail');
    },
  };
}
