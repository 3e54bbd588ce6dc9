// JavaScript, because `npm run doctor` reads TURN_URL too, on a Node that may not run TypeScript.

/**
 * Where a TURN server is, in LiveKit's terms: an IPv6 address is in brackets.
 * @typedef {{readonly host: string, readonly port: number, readonly protocol: 'udp' | 'tcp' | 'tls'}} TurnPlace
 */

const TURN_URL = /^(turns?):([^:?\s]+|\[[\da-f:]+\])(?::(\d{1,5}))?(?:\?transport=(udp|tcp))?$/iu;
const DEFAULT_PORTS = { turn: 3478, turns: 5349 };

/**
 * Reads the address of a TURN server (RFC 7065); null for anything else.
 * @param {string} url
 * @returns {TurnPlace | null}
 */
export function parseTurnUrl(url) {
  const [, scheme, host, port, transport] = TURN_URL.exec(url) ?? [];
  if (host === undefined) return null;
  const isTls = scheme.toLowerCase() === 'turns';
  const protocol = isTls ? 'tls' : transport?.toLowerCase() === 'tcp' ? 'tcp' : 'udp';
  return { host, port: Number(port ?? DEFAULT_PORTS[isTls ? 'turns' : 'turn']), protocol };
}
