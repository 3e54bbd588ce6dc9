import { LANGUAGE_COOKIE } from '@mogakgong/contract';
import { expect, test } from 'vitest';
import en from '../i18n/open.en.json';
import ko from '../i18n/open.ko.json';
import { storageKeys } from './storage-keys.ts';

/** Every source of the pages, tests aside. */
const sources = Object.entries(
  import.meta.glob<string>(['../../**/*.{ts,tsx}', '!../../**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);
/** The features of the API, some of which name cookies. */
const features = Object.values(
  import.meta.glob<string>(['../../../../api/src/features/**/*.ts', '!**/*.test.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);
const ownCookies = features.flatMap((code) =>
  Array.from(code.matchAll(/\bname(?::| =) ['`](mogakgong_\w+)/gu), ([, name]) => String(name)),
);
const WRITES = /localStorage|sessionStorage|\bpersist\(|indexedDB|\bwriteStored\(/u;
/** Its keys are restricted to the list by their type. */
const STORED = './stored.ts';

test.each([
  ['Korean', ko.privacy],
  ['English', en.privacy],
])(
  'the privacy text names everything that is kept in the browser, and nothing else: %s',
  (_, text) => {
    const section = text.sections.find(({ heading }) => heading.startsWith('5.'));
    const named = JSON.stringify(section).match(/(?:__Host-)?mogakgong[._][\w-]+/gu) ?? [];
    expect(ownCookies).toContain('mogakgong_refresh');
    const cookies = [LANGUAGE_COOKIE, ...ownCookies, ...ownCookies.map((name) => `__Host-${name}`)];
    expect(named.toSorted()).toEqual([...Object.values(storageKeys), ...cookies].toSorted());
  },
);

test('pages write storage under these keys only', () => {
  const writing = sources.filter(([file, code]) => file !== STORED && WRITES.test(code));
  expect(writing.length).toBeGreaterThan(5);
  for (const [file, code] of writing)
    expect(code, file).toMatch(/\b(?:storageKeys|keptOfflineKeys)\./u);
  const written = Object.values(storageKeys).map((key) => `'${key}'`);
  for (const [file, code] of sources) {
    if (file.endsWith('/storage-keys.ts')) continue;
    for (const key of written) expect(code.includes(key), `${file} writes out ${key}`).toBe(false);
  }
});
