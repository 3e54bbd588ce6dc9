import { isUtf8 } from 'node:buffer';
import { encodeFrame, toWebSocketMessage } from './encode-frame.ts';
import type { HeaderEntries, StompVersion } from './frame.ts';

export interface MessageParts {
  /** Unique for the application; sent as `message-id`. */
  readonly messageId: string;
  /** Sent as `destination`; without it each subscriber gets the destination it subscribed to. */
  readonly destination?: string;
  readonly body: string | Uint8Array;
  readonly contentType?: string;
  readonly headers?: HeaderEntries;
}

/** The parts of a subscription that determine its MESSAGE frame. */
export interface MessageTarget {
  /** Undefined for a STOMP 1.0 subscription without an id. */
  readonly id: string | undefined;
  readonly destination: string;
  readonly version: StompVersion;
  /** Whether the client must acknowledge. */
  readonly isAcknowledged: boolean;
}

/**
 * One message for any number of subscribers. Its frame is built once for all with the same id, destination
 * and version (nearly all clients use `sub-0`) and shared.
 */
export class Message {
  readonly messageId: string;
  readonly #destination: string | undefined;
  /** The same for all subscribers. */
  readonly #headers: readonly (readonly [string, string])[];
  readonly #body: Buffer;
  readonly #isBinary: boolean;
  readonly #frames: { readonly target: MessageTarget; readonly bytes: Buffer }[] = [];

  constructor(parts: MessageParts) {
    this.messageId = parts.messageId;
    this.#destination = parts.destination;
    this.#headers = [
      ['message-id', parts.messageId],
      ...(parts.contentType === undefined ? [] : [['content-type', parts.contentType] as const]),
      ...(parts.headers ?? []),
    ];
    this.#body = typeof parts.body === 'string' ? Buffer.from(parts.body) : viewOf(parts.body);
    this.#isBinary = typeof parts.body !== 'string' && !isUtf8(parts.body);
  }

  /** The whole WebSocket message for a subscriber. */
  bytesFor(target: MessageTarget): Buffer {
    for (const frame of this.#frames) {
      if (isSameTarget(frame.target, target)) return frame.bytes;
    }
    const bytes = this.#build(target);
    if (this.#frames.length < MAX_SHARED_FRAMES) {
      const { id, destination, version, isAcknowledged } = target;
      this.#frames.push({ target: { id, destination, version, isAcknowledged }, bytes });
    }
    return bytes;
  }

  #build(target: MessageTarget): Buffer {
    const headers: (readonly [string, string])[] = [];
    if (target.id !== undefined) headers.push(['subscription', target.id]);
    headers.push(['destination', this.#destination ?? target.destination]);
    if (target.isAcknowledged && target.version === '1.2') {
      headers.push(['ack', acknowledgementId(target, this.messageId)]);
    }
    headers.push(...this.#headers);
    const frame = encodeFrame('MESSAGE', headers, this.#body, target.version);
    return toWebSocketMessage(frame, this.#isBinary);
  }
}

/** Clients choose subscription ids; the search must stay short even with many different ones. */
const MAX_SHARED_FRAMES = 8;

/** The id that a 1.2 client returns in ACK: within a session it identifies one subscription and message. */
function acknowledgementId(target: MessageTarget, messageId: string): string {
  return `${target.id}:${messageId}`;
}

function isSameTarget(one: MessageTarget, other: MessageTarget): boolean {
  return (
    one.id === other.id &&
    one.version === other.version &&
    one.isAcknowledged === other.isAcknowledged &&
    one.destination === other.destination
  );
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
