import { once } from 'node:events';
import { WebSocket } from 'ws';

export interface ReceivedFrame {
  readonly command: string;
  /** As on the wire: not unescaped. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * A WebSocket that speaks STOMP by hand, so that tests can violate the protocol. It parses frames with its
 * own code, not the server's.
 */
export class RawClient {
  readonly socket: WebSocket;
  heartBeats = 0;
  pings = 0;
  closeCode: number | undefined;
  readonly #frames: ReceivedFrame[] = [];
  readonly #waiting: (() => void)[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => this.#read(data.toString('utf8')));
    socket.on('ping', () => {
      this.pings += 1;
      this.#wake();
    });
    socket.on('close', (code) => {
      this.closeCode = code;
      this.#wake();
    });
    socket.on('error', () => {});
  }

  static async open(url: string, protocols: string[] = ['v12.stomp']): Promise<RawClient> {
    const client = new RawClient(new WebSocket(url, protocols, { perMessageDeflate: false }));
    await once(client.socket, 'open');
    return client;
  }

  /** Opens and connects; resolves on CONNECTED. */
  static async connect(url: string, lines: string[] = ['accept-version:1.2']): Promise<RawClient> {
    const client = await RawClient.open(url);
    client.send('CONNECT', ...lines);
    await client.expect('CONNECTED');
    return client;
  }

  /** Sends a frame of raw header lines without a body. */
  send(command: string, ...lines: string[]): void {
    this.raw(`${[command, ...lines].join('\n')}\n\n\0`);
  }

  sendBody(body: string, ...lines: string[]): void {
    this.raw(`${['SEND', ...lines].join('\n')}\n\n${body}\0`);
  }

  raw(data: string | Buffer): void {
    this.socket.send(data);
  }

  /** The next frame of any command. */
  async next(): Promise<ReceivedFrame> {
    await this.until(() => this.#frames.length > 0);
    return this.#frames.shift() as ReceivedFrame;
  }

  /** The next frame, which must be of this command. */
  async expect(command: string): Promise<ReceivedFrame> {
    const frame = await this.next();
    if (frame.command !== command) {
      const headers = [...frame.headers].map((header) => header.join(':')).join(' | ');
      throw new Error(`expected ${command}, got ${frame.command} (${headers})`);
    }
    return frame;
  }

  /** Asks for a receipt and waits for it: all frames before it have been handled. */
  async settle(): Promise<void> {
    this.send('BEGIN', 'transaction:settle');
    this.send('ABORT', 'transaction:settle', 'receipt:settled');
    await this.expect('RECEIPT');
  }

  get waitingFrames(): number {
    return this.#frames.length;
  }

  async closed(): Promise<number> {
    await this.until(() => this.closeCode !== undefined);
    return this.closeCode as number;
  }

  /** Waits for a condition, checked whenever something arrives; fails on an early close. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.closeCode !== undefined) throw new Error(`closed with ${this.closeCode}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #read(text: string): void {
    for (const part of text.split('\0')) {
      if (/^\n*$/.test(part)) this.heartBeats += part.length;
      else this.#frames.push(readFrame(part.replace(/^\n+/, '')));
    }
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function readFrame(text: string): ReceivedFrame {
  const headEnd = text.indexOf('\n\n');
  const [command = '', ...lines] = text.slice(0, headEnd).split('\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1)];
  });
  return { command, headers: new Map(headers.reverse()), body: text.slice(headEnd + 2) };
}
