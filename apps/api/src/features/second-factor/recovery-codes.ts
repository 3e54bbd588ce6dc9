import { createHash, randomBytes } from 'node:crypto';
import { toBase32 } from './totp.ts';

const CODES = 10;
/** 120 bits: a stolen table of their hashes is useless (ASVS 5.0, 6.5.2). */
const CODE_BYTES = 15;

/** `ABCD-EFGH-IJKL-MNOP-QRST-UVWX`: for paper. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    (toBase32(randomBytes(CODE_BYTES)).match(/.{4}/gu) ?? []).join('-'),
  );
}

/** Of a code as people type it: in any case, with or without dashes. */
export function hashRecoveryCode(code: string): Buffer {
  const letters = code.toUpperCase().replace(/[^A-Z2-7]/gu, '');
  return createHash('sha256').update(letters).digest();
}
