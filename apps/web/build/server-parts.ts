import type { Plugin } from 'vite';

const NAMES = 'summary|errors|limit|callerFields|openTo|recentLogIn';
const VALUES = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|\w+|\[[^\]]*\]|\{(?:[^{}]|\{[^{}]*\})*\}/u;
const SERVER_PART = new RegExp(`^ +(?:${NAMES}):\\s*(?:${VALUES.source}),\\n`, 'gmu');

/** Removes from each route the parts that no page reads: the API documents and checks them. */
export function withoutServerParts(): Plugin {
  return {
    name: 'without-server-parts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/contract\/src\// },
      handler: (code) => ({ code: code.replace(SERVER_PART, ''), map: null }),
    },
  };
}
