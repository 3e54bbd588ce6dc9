import type { Plugin } from 'vite';

const SUMMARY = /^ {2}summary:\s*(?:'[^'\n]*'|"[^"\n]*"),\n/gmu;

/** Removes the summary of each route: the API documents it, and no page shows it. */
export function withoutRouteSummaries(): Plugin {
  return {
    name: 'without-route-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/contract\/src\// },
      handler: (code) => ({ code: code.replace(SUMMARY, ''), map: null }),
    },
  };
}
