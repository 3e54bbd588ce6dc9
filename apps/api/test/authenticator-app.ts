import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a base32 text, as an authenticator app reads it. */
function bytesOf(base32: string): Buffer {
  const bits = [...base32]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of an authenticator app for a secret at a moment (RFC 6238). */
export function appCode(secret: string, at: Date): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const start = (digest[19] ?? 0) % 16;
  return String((digest.readUInt32BE(start) % 2 ** 31) % 1_000_000).padStart(6, '0');
}
