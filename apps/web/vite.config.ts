/// <reference types="vitest/config" />
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';
import { chunkDownloads } from './build/chunk-downloads.ts';
import { chunkOf, contractChunk } from './build/chunks.ts';
import { excalidraw } from './build/excalidraw.ts';
import { livekitWithoutShims } from './build/livekit.ts';
import { precompress } from './build/precompress.ts';
import { prerender, STATIC_PAGE_ENTRY } from './build/prerender.ts';
import { withoutServerParts } from './build/server-parts.ts';
import { serviceWorker } from './build/service-worker/index.ts';
import { uiFont } from './build/ui-font.ts';

/** Browsers with light-dark(), native dialogs and `:has()`: the Baseline of 2024. */
const TARGET_BROWSERS = ['chrome125', 'edge125', 'firefox128', 'safari17.5'];
/** Paths that the API serves itself; everything else is the browser application. */
const API_PATHS = ['/api', '/oauth2', '/files', '/livekit', '/ws'];

export default defineConfig(({ mode }) => {
  const apiUrl = loadEnv(mode, '.', 'API_').API_URL ?? 'http://127.0.0.1:3000';
  return {
    plugins: [
      react(),
      tailwindcss(),
      withoutServerParts(),
      uiFont(),
      excalidraw(),
      livekitWithoutShims(),
      chunkDownloads(),
      prerender(),
      serviceWorker(),
      precompress(),
    ],
    build: {
      target: TARGET_BROWSERS,
      manifest: true,
      rolldownOptions: {
        input: ['index.html', STATIC_PAGE_ENTRY],
        output: {
          // Without names: each page lists the files of all others, which was 3.5 KB of a room's 301.2 KB.
          chunkFileNames: 'assets/[hash].js',
          codeSplitting: {
            groups: [{ name: chunkOf }, contractChunk],
            includeDependenciesRecursively: false,
          },
        },
      },
      // An inlined asset is a data: address, which the content policy blocks.
      assetsInlineLimit: 0,
    },
    server: {
      proxy: Object.fromEntries(
        API_PATHS.map((path) => [
          path,
          { target: apiUrl, ws: path === '/ws' || path === '/livekit' },
        ]),
      ),
    },
    test: {
      setupFiles: ['./src/test-setup.ts', '../../test/patient-waits.ts'],
      // Tests load no styles, except the colours, for their contrast.
      css: { include: /tokens\.css/u },
      environmentOptions: {
        happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: true } },
      },
    },
  };
});
