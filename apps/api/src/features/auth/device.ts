/** By what a user agent names itself; the first that fits, as most also name those they descend from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/KAKAOTALK/u, 'KakaoTalk'],
  [/NAVER\(inapp/u, 'NAVER'],
  [/Whale\//u, 'Whale'],
  [/SamsungBrowser\//u, 'Samsung Internet'],
  [/Edg(?:A|iOS)?\//u, 'Edge'],
  [/OPR\//u, 'Opera'],
  [/(?:Firefox|FxiOS)\//u, 'Firefox'],
  [/(?:Chrome|CriOS)\//u, 'Chrome'],
  [/Version\/.*Safari\//u, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/u, 'iPhone'],
  [/iPad/u, 'iPad'],
  [/Android/u, 'Android'],
  [/Windows/u, 'Windows'],
  [/Macintosh/u, 'Mac'],
  [/CrOS/u, 'ChromeOS'],
  [/Linux/u, 'Linux'],
];

const nameIn = (names: typeof browsers, userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;

/** The browser and system of a log-in, by its User-Agent: anybody can send any, so a hint only. */
export function describeDevice(userAgent: string) {
  return { browser: nameIn(browsers, userAgent), system: nameIn(systems, userAgent) };
}
