import { expect, it } from 'vitest';
import { matchingStep, toBase32, totpCode, totpStep, totpUri } from './totp.ts';

/** RFC 6238, appendix B: SHA-1; six of its eight digits are shown. */
const SECRET = Buffer.from('12345678901234567890');

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %d s is that of RFC 6238', (seconds, code) => {
  expect(totpCode(SECRET, totpStep(seconds * 1_000))).toBe(code);
});

it('a code fits its own step and the neighbours, and no other', () => {
  const code = totpCode(SECRET, 1_000);
  const fits = (step: number) => matchingStep(SECRET, code, step * 30_000);
  expect([998, 999, 1_000, 1_001, 1_002].map(fits)).toEqual([null, 1_000, 1_000, 1_000, null]);
});

it('apps read the secret in base32, and the account by its name', () => {
  expect(toBase32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(totpUri(SECRET, '김@example.org')).toBe(
    'otpauth://totp/Mogakgong:%EA%B9%80%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Mogakgong&algorithm=SHA1&digits=6&period=30',
  );
});
