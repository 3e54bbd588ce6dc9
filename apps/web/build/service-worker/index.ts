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

/** The service worker with its pages. */
export async function serviceWorkerSource(): Promise<string> {
  const pages = await Promise.all(LANGUAGES.map(async (lang) => [lang, await offlinePage(lang)]));
  const source = await readHere('service-worker.js');
  return source
    .replace('__SCRIPT_HASH__', await scriptHash())
    .replace('__OFFLINE_PAGES__', () => JSON.stringify(Object.fromEntries(pages)));
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
