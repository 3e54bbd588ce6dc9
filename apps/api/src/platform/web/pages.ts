import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '@mogakgong/contract';
import * as z from 'zod/mini';

const FilePerLanguage = z.object({ ko: z.string(), en: z.string() });
export type FilePerLanguage = Readonly<Record<Language, string>>;

/** What the web build says about its pages: `dist/pages.json`. */
const Pages = z.object({
  /** Pages that are whole without a script: path → file. */
  prerendered: z.record(z.string(), FilePerLanguage),
  notFound: FilePerLanguage,
  /** The shell that renders every path of `appRoutes` in the browser. */
  app: FilePerLanguage,
  appRoutes: z.array(z.string()),
});
export type Pages = z.infer<typeof Pages>;

/** The pages of a web build; null when there is none yet. */
export async function readPages(webDir: string): Promise<Pages | null> {
  const text = await readFile(path.join(webDir, 'pages.json'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
  return text === null ? null : Pages.parse(JSON.parse(text));
}
