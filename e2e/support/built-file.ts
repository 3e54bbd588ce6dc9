import { readFileSync } from 'node:fs';

const manifest = new URL('../../apps/web/dist/.vite/manifest.json', import.meta.url);

/** The path of the file that the build made of a module of apps/web/src. */
export function builtFile(module: string): string {
  const { file } = JSON.parse(readFileSync(manifest, 'utf8'))[`src/${module}`];
  return `/${file}`;
}
