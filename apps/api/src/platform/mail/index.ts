import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from '../logger/index.ts';

/** A mail to one person, in plain text. */
export interface Mail {
  readonly to: string;
  /** Where an answer goes, if not to the sender. */
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Whether mails are sent; otherwise only the operator can read them. */
  readonly isSending: boolean;
  /** Rejects when the mail server does not take it. */
  send(mail: Mail): Promise<void>;
}

interface MailerOptions {
  /** The mail server; without it mails are written to `outboxDir`. */
  readonly smtpUrl: string | undefined;
  readonly from: string | undefined;
  readonly outboxDir: string;
  /** Writes mails that are not sent to the log as well: never in production, they hold secrets. */
  readonly isLogged: boolean;
  readonly logger: Logger;
}

/** A mail server that answers nothing for so long is away. */
const SMTP_TIMEOUT_MS = 20_000;

export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined ? createOutbox(options) : createSender(options);
}

function createSender({ smtpUrl, from }: MailerOptions): Mailer {
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
      // As objects: a text would be parsed, and could name somebody else.
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
        subject,
        text,
      });
    },
  };
}

/** Keeps mails in files that only their owner can read. */
function createOutbox({ outboxDir, isLogged, logger }: MailerOptions): Mailer {
  return {
    isSending: false,
    async send({ to, replyTo, subject, text }) {
      const answer = replyTo === undefined ? '' : `Reply-To: ${replyTo}\n`;
      const time = new Date().toISOString().replaceAll(':', '-');
      const file = path.join(outboxDir, `${time}-${randomUUID()}.txt`);
      await mkdir(outboxDir, { recursive: true, mode: 0o700 });
      await writeFile(file, `To: ${to}\n${answer}Subject: ${subject}\n\n${text}`, { mode: 0o600 });
      logger.info({ file, ...(isLogged && { mail: text }) }, 'SMTP_URL is not set: kept a mail');
    },
  };
}
