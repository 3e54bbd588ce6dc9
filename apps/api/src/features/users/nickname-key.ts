/** Letters of other scripts and digits that look like a Latin letter, by that letter. */
const lookAlikes = {
  a: 'ɑаα',
  b: 'ьвβ',
  c: 'сϲ',
  d: 'ԁɗ',
  e: 'еєεҽ',
  f: 'ƒғ',
  g: 'ɡց',
  h: 'һн',
  j: 'јϳ',
  k: 'кκ',
  l: '1iіıɩιӏǀ|\u1175',
  m: 'мµμ',
  n: 'пηո',
  o: '0оοօσ०০๐',
  p: 'рρ',
  q: 'ԛ',
  r: 'гᴦ',
  s: 'ѕ5',
  t: 'тτ',
  u: 'υսц',
  v: 'νѵ',
  w: 'ԝшωա',
  x: 'хχ',
  y: 'уүγ',
  z: 'ᴢ',
} as const;

const letterOf = new Map(
  Object.entries(lookAlikes).flatMap(([letter, alikes]) =>
    [...alikes].map((alike) => [alike, letter] as const),
  ),
);

/**
 * The visual form of a nickname: two names with the same key cannot be distinguished on a tile. Compatibility
 * forms, case, accents, and letters that look like Latin ones (after Unicode TS 39) are the same.
 */
export function nicknameKey(nickname: string): string {
  const plain = nickname
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    // Upper case first: it makes one of `ı` and `i`, of `ß` and `ss`, of both small sigmas.
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{Pd}/gu, '-')
    .replace(/[‘’`´]/gu, "'");
  return [...plain]
    .map((letter) => letterOf.get(letter) ?? letter)
    .join('')
    .normalize('NFC');
}

/** Words that would pass for the site's staff, and names that its pages give to roles and the deleted. */
const reservedWords = [
  'admin',
  'administrator',
  'helpdesk',
  'host',
  'moderator',
  'notice',
  'official',
  'operator',
  'root',
  'staff',
  'support',
  'system',
  '공지',
  '공지사항',
  '방장',
  '시스템',
  '안내',
  '탈퇴한사람',
].map(nicknameKey);
const reservedParts = [
  ...['관리자', '관리팀', '운영자', '운영진', '운영팀', '고객센터'],
  ...['모각공', 'mogakgong'],
].map(nicknameKey);

/** Whether a nickname would pass for the site's staff, with or without digits around. */
export function isReservedNickname(nickname: string): boolean {
  const lettersOf = (text: string) => nicknameKey(text).replace(/[^\p{L}\p{M}]/gu, '');
  const readings = [lettersOf(nickname), lettersOf(nickname.replace(/\p{N}/gu, ''))];
  return readings.some(
    (letters) =>
      reservedWords.includes(letters) || reservedParts.some((part) => letters.includes(part)),
  );
}
