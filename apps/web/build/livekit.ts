import type { Plugin } from 'vite';

const LIBRARY = /\/livekit-client\/dist\/livekit-client\.esm\.mjs(?:\?|$)/u;
/** The only call of webrtc-adapter; without it the bundler leaves that library out. */
const SHIMS = /\nadapterFactory\(\{\n {2}window: [^\n]+\n\}\);/u;

/**
 * Removes webrtc-adapter from livekit-client: 10 KB that patch WebRTC in browsers much older than our build
 * targets.
 */
export function livekitWithoutShims(): Plugin {
  return {
    name: 'livekit-without-shims',
    apply: 'build',
    transform: {
      filter: { id: LIBRARY },
      handler(code, id) {
        if (!SHIMS.test(code)) throw new Error(`livekit-client has changed: no ${SHIMS} in ${id}`);
        return { code: code.replace(SHIMS, ''), map: null };
      },
    },
  };
}
