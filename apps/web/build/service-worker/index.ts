import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

const LANGUAGES = ['ko', 'en'] as const;

const readHere = (name: string) => readFile(path.join(import.meta.dirname, name), 'utf8');

/** The page of one language, with everything it needs inlined. */
async function offlinePage(lang: string): Promise<string> {
  const [page, texts] = await Promise.all([
    readHere('offline-page.html'),
    readHere(`../../src/shared/i18n/open.${lang}.json`),
  ]);
  const { offline } = JSON.parse(texts) as { offline: Record<string, string> };
  return Object.entries(offline).reduce(
    (html, [name, value]) => html.replaceAll(`{{offline.${name}}}`, value),
    page.replace('lang="ko"', `lang="${lang}"`),
  );
}

/** The hash by which the page's content security policy allows its one script. */
async function scriptHash(): Promise<string> {
  const script = /<script>(.*)<\/script>/u.exec(await readHere('offline-page.html'))?.[1];
  if (script === undefined) throw new Error('offline-page.html has no script of one line');
  return `sha256-${createHash('sha256').update(script).digest('base64')}`;
}

/** The texts of notifications in one language, by kind. */
async function notices(lang: string): Promise<Record<string, string>> {
  const texts = JSON.parse(await readHere(`../../src/shared/i18n/push.${lang}.json`));
  const ofNotices = Object.entries(texts as Record<string, string>).flatMap(([key, text]) =>
    key.startsWith('notice.') ? [[key.slice('notice.'.length), text] as const] : [],
  );
  return Object.fromEntries(ofNotices);
}

/** What each language has, as JavaScript. */
async function inEachLanguage(load: (lang: string) => Promise<unknown>): Promise<string> {
  const loaded = LANGUAGES.map(async (lang) => [lang, await load(lang)] as const);
  return JSON.stringify(Object.fromEntries(await Promise.all(loaded)));
}

/** The service worker with its pages and texts. */
export async function serviceWorkerSource(): Promise<string> {
  const [source, hash, pages, texts] = await Promise.all([
    readHere('service-worker.js'),
    scriptHash(),
    inEachLanguage(offlinePage),
    inEachLanguage(notices),
  ]);
  return source
    .replace('__SCRIPT_HASH__', hash)
    .replace('__OFFLINE_PAGES__', () => pages)
    .replace('__NOTICES__', () => texts);
}

/** Adds service-worker.js to the build, at an address that does not change. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async generateBundle() {
      const source = await serviceWorkerSource();
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}
