/**
 * Words that people put in front of digits and a mark when a form demands all three. Sources: the first
 * places of published lists of leaked passwords, and keyboard walks of Korean keyboards.
 */
const COMMON_WORDS = new Set(
  `a aa aaa aaaa ab abc abcd abcde abcdef admin administrator angel apple asd asdf asdfg asdfgh asdfghjkl
  baby baseball bts changeme computer cookie daum default dkssud dragon eorkrnr football forever
  freedom gksrnr ghkdlxld google guest hello hellokitty iloveyou iloveu jesus kakao kimchi king korea
  letmein login love lovely lover master michael mogakgong monkey mustang naver ninja pass passw
  password passwd princess q qaz qazwsx qq qqq qqqq qw qwe qwer qwerasdf qwert qwerty qwertyuiop
  root samsung sarang sarangh secret seoul shadow soccer star student study sunshine superman tkfkd
  tkfkdgo tlqkf temp tester test testtest trustno user welcome whatever wkdb zaq zaqxsw zxc zxcv zxcvbn zxcvbnm`.split(
    /\s+/u,
  ),
);

/** 1234…, 4321…, one digit repeated, a year, or nothing. */
function isCommonDigits(digits: string): boolean {
  return (
    '01234567890'.includes(digits) ||
    '09876543210'.includes(digits) ||
    /^(\d)\1*$/u.test(digits) ||
    /^(\d\d)\1+$/u.test(digits) ||
    /^(19|20)\d\d$/u.test(digits) ||
    /^(123){2}$/u.test(digits)
  );
}

/** Letters that are written with look-alike marks and digits. */
function withoutDisguise(password: string): string {
  return password
    .replace(/@/gu, 'a')
    .replace(/\$/gu, 's')
    .replace(/0(?=[a-z])/gu, 'o')
    .replace(/(?<=[a-z])0/gu, 'o');
}

/**
 * Whether a password that meets the composition rule is still one of the first that are guessed:
 * a common word with a simple run of digits, whatever marks and capitals are mixed in (design §9).
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  const readings = [lower, withoutDisguise(lower)];
  return readings.some((reading) => {
    const plain = reading.replace(/[^a-z0-9]/gu, '');
    const word = plain.replace(/\d+/gu, '');
    const digits = plain.replace(/[a-z]+/gu, '');
    const isKeyboardWalk =
      /^(1q2w3e4r|q1w2e3r4|1qaz2wsx|qwe123|zaq12wsx)/u.test(plain) && plain.length <= 12;
    return isKeyboardWalk || (COMMON_WORDS.has(word) && isCommonDigits(digits));
  });
}
