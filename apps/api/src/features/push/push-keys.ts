import { createECDH } from 'node:crypto';
import { readSiteKeys, type SiteKeysParts } from '../../platform/sealed-values/index.ts';

/** A key with which the site signs what it sends (VAPID, RFC 8292), in base64url. */
export interface PushKey {
  readonly number: number;
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The keys of the site, newest first: made at the first start and with each new AUTH_SECRET, the same in all
 * processes, and part of a backup. A browser accepts messages of the one key that it subscribed to.
 */
export async function readPushKeys(parts: SiteKeysParts) {
  const [newest, ...older] = await readSiteKeys(parts, 'web push');
  return [toPushKey(newest), ...older.map(toPushKey)] as const;
}

function toPushKey({ number, key }: { number: number; key: Uint8Array }): PushKey {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(key);
  return {
    number,
    publicKey: ecdh.getPublicKey('base64url'),
    privateKey: Buffer.from(key).toString('base64url'),
  };
}
