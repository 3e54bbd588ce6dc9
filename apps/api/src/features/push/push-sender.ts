import { createHmac } from 'node:crypto';
import type { PushMessage } from '@mogakgong/contract';
import { HOUR_MS } from '@mogakgong/contract';
import webPush from 'web-push';
import type { ProcessContext } from '../../platform/context/index.ts';
import type { SiteKeysParts } from '../../platform/sealed-values/index.ts';
import type { Device } from './push.repository.ts';
import { type PushKey, readPushKeys } from './push-keys.ts';

/** A push service that takes longer for one answer counts as away. */
const ANSWER_TIMEOUT_MS = 10_000;
/** All messages have one length, which therefore tells a push service nothing: the longest name takes half. */
const PADDED_BYTES = 256;
/** A signature is valid for twelve hours. */
const SIGNED_FOR_MS = 6 * HOUR_MS;
const SIGNATURES_MAX = 100;
/** The longest that push services take (RFC 8030, 5.4). */
const TOPIC_LENGTH = 32;

interface Signature {
  readonly header: string;
  readonly untilMs: number;
}

/** Encrypts messages for devices (RFC 8291) and sends them, signed by the site (RFC 8292). */
export function createPushSender(parts: SiteKeysParts & Pick<ProcessContext, 'env'>) {
  const subject = subjectOf(parts.env);
  let keys: readonly PushKey[] = [];
  const signatures = new Map<string, Signature>();

  async function keyOf(number: number): Promise<PushKey> {
    const find = () => keys.find((key) => key.number === number);
    const known = find();
    if (known) return known;
    // Another process may have made it since.
    keys = await readPushKeys(parts);
    const found = find();
    if (!found) throw new Error(`the key ${number} of a device is not stored`);
    return found;
  }

  function sign(origin: string, { publicKey, privateKey }: PushKey): string {
    const name = `${publicKey} ${origin}`;
    const signed = signatures.get(name);
    if (signed && signed.untilMs > performance.now()) return signed.header;
    const { Authorization: header } = webPush.getVapidHeaders(
      ...([origin, subject, publicKey, privateKey, 'aes128gcm'] as const),
    );
    if (signatures.size >= SIGNATURES_MAX) signatures.clear();
    signatures.set(name, { header, untilMs: performance.now() + SIGNED_FOR_MS });
    return header;
  }

  return {
    /**
     * @param usefulMs how long the push service keeps it for a device that is offline.
     * @throws Error where no answer comes, or the keys of the device are of no use.
     */
    async post(device: Device, message: PushMessage, usefulMs: number): Promise<Response> {
      const { endpoint, p256dh, auth, keyNumber } = device;
      const key = await keyOf(keyNumber);
      const { cipherText } = webPush.encrypt(
        p256dh.toString('base64url'),
        auth.toString('base64url'),
        padded(JSON.stringify(message)),
        'aes128gcm',
      );
      return fetch(endpoint, {
        method: 'POST',
        // Never to another address than the one that was checked.
        redirect: 'manual',
        headers: {
          authorization: sign(new URL(endpoint).origin, key),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(Math.round(usefulMs / 1_000)),
          urgency: 'high',
          topic: topicOf(message, device),
        },
        body: new Uint8Array(cipherText),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
    },
  };
}

/** A text of the same length in bytes as all others; a Hangul syllable has three. */
const padded = (text: string) =>
  text + ' '.repeat(Math.max(0, PADDED_BYTES - Buffer.byteLength(text)));

/**
 * A device that was offline gets the latest message of a kind alone. The push service, which does not have the
 * secret of the device, cannot tell the kind.
 */
const topicOf = ({ kind }: PushMessage, { auth }: Device): string =>
  createHmac('sha256', auth).update(`topic ${kind}`).digest('base64url').slice(0, TOPIC_LENGTH);

/** The contact of the site for a push service (RFC 8292, 2.1). */
function subjectOf({ SUPPORT_MAIL, PUBLIC_URL }: ProcessContext['env']): string {
  if (SUPPORT_MAIL !== undefined) return `mailto:${SUPPORT_MAIL}`;
  return PUBLIC_URL?.startsWith('https:') ? PUBLIC_URL : 'mailto:operator@localhost';
}
