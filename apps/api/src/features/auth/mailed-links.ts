import { randomBytes } from 'node:crypto';
import { linkMails } from '@mogakgong/contract';
import { requireAllowed } from '../../platform/http/index.ts';
import type { Limits } from '../../platform/limits/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { Mail, Mailer } from '../../platform/mail/index.ts';
import { hashToken } from './refresh-tokens.ts';

const TOKEN_BYTES = 32;

interface MailedLinksParts {
  readonly mailer: Mailer;
  readonly limits: Limits;
  readonly logger: Logger;
  /** The address of the site, for links. */
  readonly siteUrl: string;
}

/** A secret in a mail, and what is stored of it. */
interface MailedLink {
  readonly tokenHash: Buffer;
  /** Its address; the secret is behind the hash, which no server sees. */
  readonly link: string;
}

/** A new link to a page, such as `/password-reset`. */
export function newMailedLink(siteUrl: string, path: `/${string}`): MailedLink {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { tokenHash: hashToken(token), link: new URL(`${path}#token=${token}`, siteUrl).href };
}

/**
 * Links that work once, and the mails about them, which are sent behind the answer: it takes the same
 * time whatever is mailed. A mail that is not sent is logged; its reader asks again.
 */
export function createMailedLinks({ mailer, limits, logger, siteUrl }: MailedLinksParts) {
  const underWay = new Set<Promise<void>>();
  const perAddress = limits.shared('link-mail', linkMails);

  return {
    /** Whether mails reach people; otherwise only the operator can read them. */
    isMailed: mailer.isSending,

    /** A new link to a page, such as `/password-reset`. */
    newLink: (path: `/${string}`) => newMailedLink(siteUrl, path),

    /** Counts a mail to an address. @throws ApiError `tooManyRequests`. */
    async consume(address: string): Promise<void> {
      await requireAllowed(perAddress.consume(address.toLowerCase()));
    },

    /** Sends the mail that `prepare` resolves to, or none for null, behind the answer. */
    send(prepare: () => Promise<Mail | null>): void {
      const sending = prepare()
        .then((mail) => mail && mailer.send(mail))
        .catch((error: unknown) => logger.error({ err: error }, 'a mail was not sent'))
        .then(() => void underWay.delete(sending));
      underWay.add(sending);
    },

    /** Waits for the mails that are being sent. */
    close: async () => void (await Promise.all(underWay)),
  };
}

export type MailedLinks = ReturnType<typeof createMailedLinks>;
