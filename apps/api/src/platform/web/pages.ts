import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';

const FilePerLanguage = z.object({ ko: z.string(), en: z.string() });

/** What the web build says about its pages: `dist/pages.json`. */
const Pages = z.object({
  /** Stands in the files where the address of the site belongs. */
  publicUrlPlaceholder: z.string(),
  /** Pages that are whole without a script: path → file. */
  prerendered: z.record(z.string(), FilePerLanguage),
  notFound: FilePerLanguage,
  /** The shell that renders every one of `applicationPaths` and `devPaths` in the browser. */
  application: z.string(),
  applicationPaths: z.array(z.string()),
  /** Like `applicationPaths`, but served only where developer pages are wanted. */
  devPaths: z.array(z.string()),
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
