import path from 'node:path';
import type { Plugin } from 'vite';

/** The function that the bundler puts around each `import()`. */
const VITE_HELPER = '\0vite/preload-helper.js';
const OWN_HELPER = 'src/shared/lib/import-chunk.ts';
const STYLE = /\.css(?:\?|$)/u;

/** Every `import()` of the build goes through `importChunk`, which gets the list of its files. */
export function chunkDownloads(): Plugin {
  let helper = '';
  /** Chunks of styles only, of which Vite keeps no script. */
  const withoutScript = new Set<string>();
  return {
    name: 'chunk-downloads',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          // Vite leaves out the file itself where it imports no other.
          resolveDependencies: (file, others, { hostType }) =>
            hostType === 'html' || withoutScript.has(file)
              ? others
              : [...new Set([file, ...others])],
        },
      },
    }),
    configResolved({ root }) {
      helper = path.join(root, OWN_HELPER);
    },
    load(id) {
      if (id !== VITE_HELPER) return null;
      return `export { importChunk as __vitePreload } from ${JSON.stringify(helper)};`;
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      for (const { fileName, moduleIds } of chunks) {
        if (moduleIds.every((id) => STYLE.test(id))) withoutScript.add(fileName);
      }
      if (!chunks.some(({ moduleIds }) => moduleIds.includes(helper))) {
        throw new Error(`Vite has changed: no ${VITE_HELPER.slice(1)}`);
      }
    },
  };
}
