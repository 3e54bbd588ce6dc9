import type { Plugin } from 'vite';

const SUMMARY = /^ {2}summary:\s*(?:'[^'\n]*'|"[^"\n]*"),\n/gmu;

/** Leaves out what each route of the contract says about itself: the API documents it, no page shows it. */
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
