import { randomBytes } from 'node:crypto';
import { linkMails } from '@mogakgong/contract';
import { siteUrlOf } from '../../platform/env/index.ts';
import { requireAllowed } from '../../platform/http/index.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { hashToken } from './refresh-tokens.ts';

const TOKEN_BYTES = 32;

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
export function createMailedLinks({ env, mailer, limits, logger }: AppContext) {
  const underWay = new Set<Promise<void>>();
  const perAddress = limits.shared('link-mail', linkMails);

  return {
    /** Whether mails reach people; otherwise only the operator can read them. */
    isMailed: mailer.isSending,

    /** A new link to a page, such as `/password-reset`. */
    newLink: (path: `/${string}`) => newMailedLink(siteUrlOf(env), path),

    /**
     * Counts a mail to an address: those that confirm it apart from those that set a password, so that the
     * asker of one kind does not keep the owner from the other.
     * @throws ApiError `tooManyRequests`.
     */
    async consume(kind: 'confirm' | 'reset', address: string): Promise<void> {
      await requireAllowed(perAddress.consume(`${kind} ${address.toLowerCase()}`));
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
