import { isUtf8 } from 'node:buffer';
import { encodeHead, encodeHeader, joinFrame, toWebSocketMessage } from './encode-frame.ts';
import type { HeaderEntries, StompVersion } from './frame.ts';
import { type Escaping, escapingOf } from './header-escaping.ts';

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
  readonly #parts: MessageParts;
  readonly #body: Buffer;
  readonly #isBinary: boolean;
  readonly #sharedHeaders = new Map<Escaping, string>();
  readonly #frames: { readonly target: MessageTarget; readonly bytes: Buffer }[] = [];

  constructor(parts: MessageParts) {
    this.messageId = parts.messageId;
    this.#parts = parts;
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
    const escaping = escapingOf('MESSAGE', target.version);
    const own: [string, string][] = [];
    if (target.id !== undefined) own.push(['subscription', target.id]);
    own.push(['destination', this.#parts.destination ?? target.destination]);
    if (target.isAcknowledged && target.version === '1.2') {
      own.push(['ack', acknowledgementId(target, this.messageId)]);
    }
    const head = encodeHead('MESSAGE', own, escaping) + this.#sharedHead(escaping);
    return toWebSocketMessage(joinFrame(head, this.#body), this.#isBinary);
  }

  #sharedHead(escaping: Escaping): string {
    const known = this.#sharedHeaders.get(escaping);
    if (known !== undefined) return known;
    let head = encodeHeader('message-id', this.messageId, escaping);
    const { contentType, headers } = this.#parts;
    if (contentType !== undefined) head += encodeHeader('content-type', contentType, escaping);
    for (const [name, value] of headers ?? []) head += encodeHeader(name, value, escaping);
    this.#sharedHeaders.set(escaping, head);
    return head;
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
