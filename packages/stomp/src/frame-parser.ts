import { isUtf8 } from 'node:buffer';
import { type Frame, StompProtocolError, type StompVersion } from './frame.ts';
import { escapingOf, unescapeHeader } from './header-escaping.ts';
import type { StompLimits } from './limits.ts';

const NUL = 0x00;
const LF = 0x0a;
const CR = 0x0d;
const EMPTY = Buffer.alloc(0);

/**
 * Turns bytes into frames, however they are cut into chunks.
 *
 * It is pulled: `push` stores bytes, `next` extracts one frame. While a session works
 * on a frame, what follows waits as plain bytes, so a flood costs no more memory than its size.
 * Every byte is read once and copied at most a constant number of times: a position that has
 * been scanned is never scanned again, and the buffer doubles. A buffer is never written to where
 * a frame was already taken from, so bodies stay valid as views.
 */
export class FrameParser {
  /** Decides escapes and line ends; undefined until CONNECT has been answered. */
  version: StompVersion | undefined;
  readonly #limits: StompLimits;
  #bytes: Buffer = EMPTY;
  /** Whether `#bytes` is our own buffer with room after `#end`, or a chunk of the caller. */
  #isOwned = false;
  #start = 0;
  #end = 0;
  #scan = 0;
  #lineStart = 0;
  #lines = 0;
  /** The head of a frame with an incomplete body. */
  #head: Head | undefined;

  constructor(limits: StompLimits) {
    this.#limits = limits;
  }

  /** Received bytes that are not yet part of a returned frame. */
  get waitingBytes(): number {
    return this.#end - this.#start;
  }

  /** Adds received bytes. The chunk is kept as a view: the caller must not reuse it. */
  push(chunk: Buffer): void {
    if (this.waitingBytes === 0) {
      this.#rebase(chunk, chunk.length, false);
      return;
    }
    const needed = this.waitingBytes + chunk.length;
    if (!this.#isOwned || this.#end + chunk.length > this.#bytes.length) this.#grow(needed * 2);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** The next whole frame, or undefined until more bytes come. Throws StompProtocolError. */
  next(): Frame | undefined {
    this.#head ??= this.#readHead();
    const frame = this.#head === undefined ? undefined : this.#readBody(this.#head);
    if (frame === undefined) this.#letGoOfChunk();
    return frame;
  }

  get #allowsCr(): boolean {
    return this.version === undefined || this.version === '1.2';
  }

  /**
   * Looks for the blank line that ends the head, checking every limit on the way.
   * Blank lines before the command are heart-beats, or the line end some clients put after NUL.
   */
  #readHead(): Head | undefined {
    const bytes = this.#bytes;
    for (let at = this.#scan; at < this.#end; at += 1) {
      const byte = bytes[at];
      if (byte === LF) {
        if (at > this.#lineStart && !this.#isLoneCr(at)) {
          this.#checkLine(at);
          this.#lines += 1;
        } else if (this.#lines > 0) return this.#finishHead(at);
        else this.#start = at + 1;
        this.#lineStart = at + 1;
      } else if (byte === NUL) throw new StompProtocolError('NUL in a frame head');
    }
    this.#scan = this.#end;
    this.#checkLine(this.#end);
    this.#checkFrameSize(this.#end);
    return undefined;
  }

  #isLoneCr(lineEnd: number): boolean {
    return this.#allowsCr && lineEnd === this.#lineStart + 1 && this.#bytes[this.#lineStart] === CR;
  }

  #checkLine(lineEnd: number): void {
    const length = lineEnd - this.#lineStart;
    if (this.#lines === 0) {
      if (length > this.#limits.commandBytes) throw new StompProtocolError('command too long');
      return;
    }
    if (length > this.#limits.headerLineBytes) throw new StompProtocolError('header too long');
    if (length > 0 && this.#lines > this.#limits.headers) {
      throw new StompProtocolError('too many headers');
    }
  }

  #checkFrameSize(frameEnd: number): void {
    if (frameEnd - this.#start > this.#limits.frameBytes) {
      throw new StompProtocolError(`frame larger than ${this.#limits.frameBytes} bytes`);
    }
  }

  #finishHead(blankLineEnd: number): Head {
    const bytes = this.#bytes.subarray(this.#start, this.#lineStart);
    if (!isUtf8(bytes)) throw new StompProtocolError('a frame head that is not UTF-8');
    const head = decodeHead(bytes.toString('utf8'), this.version);
    this.#scan = blankLineEnd + 1;
    const bodyLength = this.#declaredLength(head.headers.get('content-length'));
    return { ...head, bodyLength };
  }

  #declaredLength(contentLength: string | undefined): number | undefined {
    if (contentLength === undefined) return undefined;
    if (!/^\d{1,15}$/.test(contentLength)) throw new StompProtocolError('bad content-length');
    const length = Number(contentLength);
    this.#checkFrameSize(this.#scan + length + 1);
    return length;
  }

  #readBody(head: Head): Frame | undefined {
    return head.bodyLength === undefined
      ? this.#readToNul(head)
      : this.#readDeclared(head, head.bodyLength);
  }

  #readDeclared(head: Head, bodyLength: number): Frame | undefined {
    const bodyEnd = this.#scan + bodyLength;
    if (bodyEnd >= this.#end) return undefined;
    if (this.#bytes[bodyEnd] !== NUL) {
      throw new StompProtocolError('no NUL after content-length bytes of body');
    }
    return this.#take(head, this.#scan, bodyEnd);
  }

  #readToNul(head: Head): Frame | undefined {
    head.bodyOffset ??= this.#scan - this.#start;
    const bodyLength = this.#bytes.subarray(this.#scan, this.#end).indexOf(NUL);
    const bodyEnd = bodyLength === -1 ? this.#end : this.#scan + bodyLength;
    this.#checkFrameSize(bodyEnd + 1);
    if (bodyLength !== -1) return this.#take(head, this.#start + head.bodyOffset, bodyEnd);
    this.#scan = this.#end;
    return undefined;
  }

  #take(head: Head, bodyStart: number, bodyEnd: number): Frame {
    const body = bodyEnd > bodyStart ? this.#bytes.subarray(bodyStart, bodyEnd) : EMPTY;
    this.#start = bodyEnd + 1;
    this.#scan = this.#start;
    this.#lineStart = this.#start;
    this.#lines = 0;
    this.#head = undefined;
    return { command: head.command, headers: head.headers, body };
  }

  /** A partial frame must not keep the caller's larger receive buffer alive. */
  #letGoOfChunk(): void {
    if (this.waitingBytes === 0) this.#rebase(EMPTY, 0, false);
    else if (!this.#isOwned) this.#grow(this.waitingBytes * 2);
  }

  #grow(capacity: number): void {
    const bytes = Buffer.allocUnsafeSlow(capacity);
    bytes.set(this.#bytes.subarray(this.#start, this.#end), 0);
    this.#rebase(bytes, this.waitingBytes, true);
  }

  #rebase(bytes: Buffer, length: number, isOwned: boolean): void {
    this.#scan -= this.#start;
    this.#lineStart -= this.#start;
    this.#start = 0;
    this.#end = length;
    this.#bytes = bytes;
    this.#isOwned = isOwned;
  }
}

interface DecodedHead {
  readonly command: string;
  readonly headers: Map<string, string>;
}

interface Head extends DecodedHead {
  readonly bodyLength: number | undefined;
  /** Where the body began, counted from the frame's first byte. */
  bodyOffset?: number;
}

function decodeHead(text: string, version: StompVersion | undefined): DecodedHead {
  const allowsCr = version === undefined || version === '1.2';
  const commandEnd = text.indexOf('\n');
  const command = withoutCr(text, 0, commandEnd, allowsCr);
  const escaping = escapingOf(command, version);
  const headers = new Map<string, string>();
  for (let start = commandEnd + 1; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = withoutCr(text, start, end, allowsCr);
    const colon = line.indexOf(':');
    if (colon < 1) throw new StompProtocolError('a header line without a name and a colon');
    const name = unescapeHeader(line.slice(0, colon), escaping);
    if (!headers.has(name)) headers.set(name, unescapeHeader(line.slice(colon + 1), escaping));
    start = end + 1;
  }
  return { command, headers };
}

/** The line [start, end) without the CR of a CRLF; any other CR is refused where CRLF is allowed. */
function withoutCr(text: string, start: number, end: number, allowsCr: boolean): string {
  const hasCr = allowsCr && end > start && text.charCodeAt(end - 1) === CR;
  const line = text.slice(start, hasCr ? end - 1 : end);
  if (allowsCr && line.includes('\r')) throw new StompProtocolError('a bare CR in a frame head');
  return line;
}
