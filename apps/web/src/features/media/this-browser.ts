/** Browsers with a description of their own settings; every other Chromium has those of Chrome. */
export type BrowserName = 'chrome' | 'edge' | 'whale' | 'samsung' | 'firefox' | 'safari' | 'inApp';
export type SystemName = 'windows' | 'macos' | 'ios' | 'android' | 'other';

export interface Browser {
  readonly browser: BrowserName;
  readonly system: SystemName;
}

/** Order matters: most of them also call themselves Chrome and Safari. */
const BROWSERS: readonly (readonly [RegExp, BrowserName])[] = [
  [/KAKAOTALK|NAVER\(|DaumApps|Instagram|FBA[NV]|\bLine\/|; wv\)/u, 'inApp'],
  [/Whale\//u, 'whale'],
  [/SamsungBrowser/u, 'samsung'],
  [/Edg(?:A|iOS)?\//u, 'edge'],
  [/Firefox|FxiOS/u, 'firefox'],
  [/Chrome|Chromium|CriOS/u, 'chrome'],
  [/Safari/u, 'safari'],
];
const SYSTEMS: readonly (readonly [RegExp, SystemName])[] = [
  [/iPhone|iPad|iPod/u, 'ios'],
  [/Android/u, 'android'],
  [/Windows/u, 'windows'],
  [/Macintosh/u, 'macos'],
];

function firstMatch<Name>(table: readonly (readonly [RegExp, Name])[], text: string) {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}

/** The browser and the system of a user agent, as far as their settings differ. */
export function browserOf({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): Browser {
  const system = firstMatch(SYSTEMS, userAgent) ?? 'other';
  return {
    browser: firstMatch(BROWSERS, userAgent) ?? 'chrome',
    // An iPad says that it is a Mac; Macs have no touch screen.
    system: system === 'macos' && maxTouchPoints > 1 ? 'ios' : system,
  };
}
