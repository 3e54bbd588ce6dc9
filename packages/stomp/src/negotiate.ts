import { Refusal } from './answers.ts';
import { type Frame, STOMP_VERSIONS, type StompVersion } from './frame.ts';

/** The best common version; a client that names none speaks 1.0. Undefined: none in common. */
export function chooseVersion(connect: Frame): StompVersion | undefined {
  const accepted = connect.headers.get('accept-version');
  if (accepted === undefined) return '1.0';
  const offered = accepted.split(',').map((version) => version.trim());
  return STOMP_VERSIONS.find((version) => offered.includes(version));
}

/** Lists the server's versions, so that the client can try again (STOMP 1.2 "Protocol Negotiation"). */
export const NO_COMMON_VERSION = new Refusal('no common protocol version', {
  headers: [['version', '1.0,1.1,1.2']],
  body: 'Supported protocol versions are 1.0, 1.1 and 1.2',
  closeCode: 1002,
});

const SUB_PROTOCOLS = ['v12.stomp', 'v11.stomp', 'v10.stomp'];

/** The WebSocket sub-protocol to select; false if none of the offered ones is known. */
export function chooseSubProtocol(offered: ReadonlySet<string>): string | false {
  return SUB_PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false;
}
