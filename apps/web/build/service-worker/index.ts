import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Manifest, Plugin } from 'vite';
import { APPLICATION_ENTRY, closure, isUiFont, readManifest } from '../manifest.ts';

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

/** The value of each language, as JavaScript. */
async function inEachLanguage(load: (lang: string) => Promise<unknown>): Promise<string> {
  const loaded = LANGUAGES.map(async (lang) => [lang, await load(lang)] as const);
  return JSON.stringify(Object.fromEntries(await Promise.all(loaded)));
}

/** The modules that the application needs to open on /main and in a room, beside its entry and the texts. */
const MODULES = [
  'src/app/learner-account.tsx',
  'src/app/offline.ts',
  'src/pages/main/main-page.tsx',
  'src/pages/plan/plan-page.tsx',
  'src/pages/study-room/study-room-page.tsx',
  'src/room/learner-room.tsx',
  'src/room/live/room-live.ts',
  'src/room/panels/open-panel.tsx',
];
const TEXTS = ['common', 'study', 'plan', 'room', 'category'];

/** The paths of those files in one language. */
function filesOf(manifest: Manifest, lang: string): string[] {
  const texts = TEXTS.map((name) => `src/shared/i18n/${name}.${lang}.json`);
  const chunks = closure(manifest, [APPLICATION_ENTRY, ...MODULES, ...texts]);
  const font = Object.values(manifest).find(({ file }) => isUiFont(file));
  const files = [...chunks, ...(font ? [font] : [])].flatMap(({ file, css = [] }) => [
    file,
    ...css,
  ]);
  return ['/theme.js', ...new Set(files.map((file) => `/${file}`))];
}

/**
 * The service worker with its pages and texts, for a build with these files in each language; `entry` is a text
 * that its pages have and those of no other build.
 */
export async function serviceWorkerSource(
  filesIn: (lang: string) => string[],
  entry: string,
): Promise<string> {
  const [source, hash, pages, texts, files] = await Promise.all([
    readHere('service-worker.js'),
    scriptHash(),
    inEachLanguage(offlinePage),
    inEachLanguage(notices),
    inEachLanguage(async (lang) => filesIn(lang)),
  ]);
  return source
    .replace('__SCRIPT_HASH__', hash)
    .replace('__ENTRY__', () => entry)
    .replace('__OFFLINE_PAGES__', () => pages)
    .replace('__NOTICES__', () => texts)
    .replace('__FILES__', () => files)
    .replace('__VERSION__', createHash('sha256').update(files).digest('hex').slice(0, 16));
}

/** Adds service-worker.js to the build, at an address that does not change. */
export function serviceWorker(): Plugin {
  let outDir = '';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(config) {
      outDir = path.resolve(config.root, config.build.outDir);
    },
    writeBundle: {
      // Files are compressed after it.
      sequential: true,
      async handler() {
        const manifest = await readManifest(outDir);
        const entry = manifest[APPLICATION_ENTRY]?.file;
        if (entry === undefined) throw new Error(`the build has no ${APPLICATION_ENTRY}`);
        const source = await serviceWorkerSource((lang) => filesOf(manifest, lang), entry);
        await writeFile(path.join(outDir, 'service-worker.js'), source);
      },
    },
  };
}
