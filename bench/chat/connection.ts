import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** One buffer for all connections: what was read is processed before the next read. */
const shared = Buffer.alloc(64 * 1024);
const CONTINUED = 0x00;
const PING = 0x09;
const HEAD_END = Buffer.from('\r\n\r\n');

export interface ConnectionOptions {
  readonly port: number;
  readonly localAddress?: string | undefined;
  readonly path: string;
  readonly subProtocol?: string | undefined;
  /** The upgrade is done: messages can be sent. */
  readonly onOpen: (connection: Connection) => void;
  /**
   * A message has come. `payload` is all of it for a connection that reads whole messages, else
   * its beginning, at least one byte.
   */
  readonly onMessage: (connection: Connection, payload: Buffer) => void;
  readonly onClose: (connection: Connection) => void;
}

/**
 * A WebSocket client that costs as little as a client can: it masks with zeros and, unless it reads
 * whole messages, reads the first bytes of each and skips the rest. One that is not `prompt` reads
 * only on request, so that a thousand of them do not take the processor from the server.
 */
export class Connection {
  readonly socket: Socket;
  isPrompt = true;
  readsWhole = true;
  /** Reads no more, with its connection open. */
  isStalled = false;
  isClosed = false;
  readonly #options: ConnectionOptions;
  #pending: Buffer | undefined;
  #skip = 0;
  #isOpen = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { port, localAddress } = options;
    this.socket = connect({
      host: '127.0.0.1',
      port,
      ...(localAddress !== undefined && { localAddress }),
      noDelay: true,
      onread: {
        buffer: shared,
        callback: (bytes: number) => {
          this.#read(shared.subarray(0, bytes));
          return this.isPrompt && !this.isStalled;
        },
      },
    });
    this.socket.on('connect', () => this.#upgrade());
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isClosed = true;
      options.onClose(this);
    });
  }

  send(text: string): void {
    this.socket.write(textMessage(text));
  }

  /** Reads once what has arrived; for connections that are not prompt. */
  readOnce(): void {
    if (!this.isClosed && !this.isStalled) this.socket.resume();
  }

  cut(): void {
    this.socket.destroy();
  }

  #upgrade(): void {
    const { path, subProtocol } = this.#options;
    this.socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n` +
        `${subProtocol === undefined ? '' : `Sec-WebSocket-Protocol: ${subProtocol}\r\n`}\r\n`,
    );
  }

  #read(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#pending) {
      bytes = Buffer.concat([this.#pending, chunk]);
      this.#pending = undefined;
    }
    const rest = this.#isOpen ? this.#readMessages(bytes, 0) : this.#readUpgrade(bytes);
    if (rest < bytes.length) this.#pending = Buffer.from(bytes.subarray(rest));
  }

  #readUpgrade(bytes: Buffer): number {
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) return 0;
    if (!bytes.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) {
      throw new Error(`the upgrade was refused: ${bytes.toString('latin1', 0, 200)}`);
    }
    this.#isOpen = true;
    this.#options.onOpen(this);
    return this.#readMessages(bytes, end + HEAD_END.length);
  }

  /** Returns how far it came. */
  #readMessages(bytes: Buffer, from: number): number {
    let at = from;
    for (;;) {
      const skipped = Math.min(this.#skip, bytes.length - at);
      this.#skip -= skipped;
      at += skipped;
      const size = headerSize(bytes, at);
      if (size === 0) return at;
      const length = payloadLength(bytes, at);
      const payloadAt = at + size;
      const here = Math.min(length, bytes.length - payloadAt);
      if (here < (this.readsWhole ? length : Math.min(1, length))) return at;
      this.#take((bytes[at] ?? 0) & 0x0f, bytes.subarray(payloadAt, payloadAt + here));
      this.#skip = length - here;
      at = payloadAt + here;
    }
  }

  #take(opcode: number, payload: Buffer): void {
    if (opcode === PING) this.socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
    else if (opcode < PING - 1 && opcode !== CONTINUED) this.#options.onMessage(this, payload);
  }
}

/** 0 when the header is not all there. */
function headerSize(bytes: Buffer, at: number): number {
  if (bytes.length < at + 2) return 0;
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  const size = short < 126 ? 2 : short === 126 ? 4 : 10;
  return bytes.length < at + size ? 0 : size;
}

function payloadLength(bytes: Buffer, at: number): number {
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  if (short < 126) return short;
  return short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
}

/** A whole masked text message; the mask is zero, which is valid. */
export function textMessage(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 6 : 8;
  const bytes = Buffer.alloc(head + length);
  bytes[0] = 0x81;
  if (length < 126) bytes[1] = 0x80 | length;
  else {
    bytes[1] = 0x80 | 126;
    bytes.writeUInt16BE(length, 2);
  }
  bytes.write(text, head);
  return bytes;
}
