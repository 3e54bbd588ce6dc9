/** The protocol versions this package speaks, best first (STOMP 1.2 "Protocol Negotiation"). */
export const STOMP_VERSIONS = ['1.2', '1.1', '1.0'] as const;
export type StompVersion = (typeof STOMP_VERSIONS)[number];

export type FrameHeaders = ReadonlyMap<string, string>;
export type HeaderEntries = Iterable<readonly [name: string, value: string]>;

/**
 * One frame as it was received.
 * `body` is a view into the received bytes: copy it to keep it longer than the frame is handled.
 */
export interface Frame {
  readonly command: string;
  /** Unescaped; of a repeated header the first value (STOMP 1.2 "Repeated Header Entries"). */
  readonly headers: FrameHeaders;
  readonly body: Buffer;
}

/** A client's violation of the protocol. The session answers it with an ERROR frame and closes. */
export class StompProtocolError extends Error {
  override readonly name = 'StompProtocolError';
}
