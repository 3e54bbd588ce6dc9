/** Where a TURN server is, in LiveKit's terms. */
export interface TurnPlace {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'udp' | 'tcp' | 'tls';
}

const TURN_URL = /^(turns?):([^:?\s]+|\[[\da-f:]+\])(?::(\d{1,5}))?(?:\?transport=(udp|tcp))?$/iu;
const DEFAULT_PORTS = { turn: 3478, turns: 5349 } as const;

/** Reads the address of a TURN server (RFC 7065); null for anything else. */
export function parseTurnUrl(url: string): TurnPlace | null {
  const [, scheme, host, port, transport] = TURN_URL.exec(url) ?? [];
  if (host === undefined) return null;
  const isTls = scheme?.toLowerCase() === 'turns';
  const protocol = isTls ? 'tls' : transport?.toLowerCase() === 'tcp' ? 'tcp' : 'udp';
  return { host, port: Number(port ?? DEFAULT_PORTS[isTls ? 'turns' : 'turn']), protocol };
}
