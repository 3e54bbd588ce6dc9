import { type ErrorName, errors } from '@mogakgong/contract';

interface SeenFrame {
  readonly command: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function parse(text: string): SeenFrame {
  const end = text.indexOf('\n\n');
  const [command = '', ...lines] = text.slice(0, end).split('\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  return { command, headers, body: text.slice(end + 2).replace(/\0$/u, '') };
}

function frame(command: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  return `${[command, ...lines].join('\n')}\n\n${body}\0`;
}

/** The browser's end of a socket, replacing the global `WebSocket`. */
class FakeSocket {
  static readonly OPEN = 1;
  readonly url: string;
  binaryType = '';
  readyState = 0;
  onopen: () => void = () => undefined;
  onclose: (event: object) => void = () => undefined;
  onerror: (event: object) => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  readonly #onFrame: (socket: FakeSocket, text: string) => void;

  constructor(url: string, onFrame: (socket: FakeSocket, text: string) => void) {
    this.url = url;
    this.#onFrame = onFrame;
  }

  open(): void {
    this.readyState = 1;
    this.onopen();
  }

  send(text: string): void {
    this.#onFrame(this, text);
  }

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose({ code: 1006 });
  }
}

/**
 * The other end of every WebSocket opened while it runs: answers STOMP frames like the product's server, and
 * breaks on demand.
 */
export class FakeStompServer {
  readonly urls: string[] = [];
  readonly subProtocols: (readonly string[])[] = [];
  readonly frames: SeenFrame[] = [];
  readonly connectedWith: string[] = [];
  isDown = false;
  /** Confirms nothing. */
  isSilent = false;
  readonly #original = globalThis.WebSocket;
  readonly #refusedTokens = new Map<string, ErrorName>();
  #sendRefusal: ErrorName | null = null;
  #retryAfterSeconds: number | undefined;
  #failures = 0;
  #confirmedAs: string | null = null;
  #socket: FakeSocket | null = null;
  #subscriptions = new Map<string, string>();

  constructor() {
    const open = (url: string, subProtocols: readonly string[] = []) => {
      this.subProtocols.push(subProtocols);
      return this.#open(url);
    };
    const FakeWebSocket = Object.assign(
      function socket(url: string, subProtocols?: readonly string[]) {
        return open(url, subProtocols);
      },
      { OPEN: FakeSocket.OPEN },
    );
    globalThis.WebSocket = FakeWebSocket as unknown as typeof WebSocket;
  }

  restore(): void {
    globalThis.WebSocket = this.#original;
  }

  framesOf(command: string): SeenFrame[] {
    return this.frames.filter((seen) => seen.command === command);
  }

  refuseToken(token: string, row: ErrorName): void {
    this.#refusedTokens.set(token, row);
  }

  allowToken(token: string): void {
    this.#refusedTokens.delete(token);
  }

  /** Refuses frames with a receipt, until it is set to null; the connection stays. */
  refuseSends(row: ErrorName | null, retryAfterSeconds?: number): void {
    this.#sendRefusal = row;
    this.#retryAfterSeconds = retryAfterSeconds;
  }

  /** Fails the next sends with an ERROR that is no row of the table, and closes. */
  failSends(count: number): void {
    this.#failures = count;
  }

  /** From now on writing to the socket throws. */
  breakWrites(): void {
    if (this.#socket === null) return;
    this.#socket.send = () => {
      throw new DOMException('the socket is gone', 'InvalidStateError');
    };
  }

  /** Confirms sends as the message of this id. */
  confirmAs(messageId: string): void {
    this.#confirmedAs = messageId;
  }

  /** Ends the connection without an ERROR frame. */
  cut(): void {
    this.#socket?.close();
  }

  /** Ends the open connection like the server does when its token has expired. */
  expireToken(): void {
    const row = 'unauthorized';
    this.#socket?.onmessage({ data: frame('ERROR', { error: row }, errors[row].ko) });
    this.cut();
  }

  subscriptionsTo(destination: string): string[] {
    return [...this.#subscriptions].filter(([, to]) => to === destination).map(([id]) => id);
  }

  deliver(destination: string, body: unknown): void {
    this.deliverTo(this.subscriptionsTo(destination), body);
  }

  deliverTo(subscriptions: readonly string[], body: unknown): void {
    for (const subscription of subscriptions) {
      const headers = { subscription, 'message-id': 'm', destination: '/' };
      this.#socket?.onmessage({ data: frame('MESSAGE', headers, JSON.stringify(body)) });
    }
  }

  #open(url: string): FakeSocket {
    this.urls.push(url);
    const socket = new FakeSocket(url, (from, text) => this.#answer(from, text));
    this.#subscriptions = new Map();
    this.#socket = socket;
    queueMicrotask(() => (this.isDown ? socket.close() : socket.open()));
    return socket;
  }

  #answer(socket: FakeSocket, text: string): void {
    if (text === '\n') return;
    const seen = parse(text);
    this.frames.push(seen);
    const { headers } = seen;
    switch (seen.command) {
      case 'CONNECT':
        this.#connect(socket, headers.Authorization?.replace('Bearer ', '') ?? '');
        break;
      case 'SUBSCRIBE':
        this.#confirm(socket, headers.receipt ?? '');
        if (this.#sendRefusal === null)
          this.#subscriptions.set(headers.id ?? '', headers.destination ?? '');
        break;
      case 'UNSUBSCRIBE':
        this.#subscriptions.delete(headers.id ?? '');
        break;
      default:
        this.#confirm(socket, headers.receipt ?? '');
    }
  }

  #connect(socket: FakeSocket, token: string): void {
    const refusal = token === '' ? 'unauthorized' : this.#refusedTokens.get(token);
    if (refusal !== undefined) {
      socket.onmessage({ data: frame('ERROR', { error: refusal }, errors[refusal].ko) });
      socket.close();
      return;
    }
    this.connectedWith.push(token);
    socket.onmessage({ data: frame('CONNECTED', { version: '1.2', 'heart-beat': '0,0' }) });
  }

  #confirm(socket: FakeSocket, receipt: string): void {
    if (this.isSilent || receipt === '') return;
    if (this.#failures > 0) {
      this.#failures -= 1;
      const headers = { 'receipt-id': receipt, message: 'internal error' };
      socket.onmessage({ data: frame('ERROR', headers) });
      socket.close();
      return;
    }
    const row = this.#sendRefusal;
    const headers = { 'receipt-id': receipt };
    const seconds = this.#retryAfterSeconds;
    const answer =
      row === null
        ? frame('RECEIPT', {
            ...headers,
            ...(this.#confirmedAs && { 'message-id': this.#confirmedAs }),
          })
        : frame(
            'ERROR',
            {
              ...headers,
              ...(seconds !== undefined && { 'retry-after': String(seconds) }),
              error: row,
            },
            errors[row].ko,
          );
    // As over a network: never while the client is still reading the previous message.
    queueMicrotask(() => socket.onmessage({ data: answer }));
  }
}
