import type { Socket } from 'node:net';
import { TOKEN_SUB_PROTOCOL } from '@mogakgong/contract';
import { WebSocket } from 'ws';

export interface StompFrame {
  readonly command: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

interface StompConnectionOptions {
  readonly port: number;
  /** A connection that is open already. */
  readonly socket?: Socket;
  readonly token: string;
  readonly onFrame: (frame: StompFrame) => void;
  /** @param code of the close frame; 1006 without one. */
  readonly onClose: (code: number) => void;
}

/** The server sends heart-beats every four seconds: longer silence means that the connection is dead. */
const GIVE_UP_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** A STOMP connection by hand, so that what the server writes is not read by its own code. */
export class StompConnection {
  readonly #socket: WebSocket;
  readonly #watch: NodeJS.Timeout;
  #heardAtMs = performance.now();

  constructor({ port, socket, token, onFrame, onClose }: StompConnectionOptions) {
    this.#socket = new WebSocket(
      `ws://127.0.0.1:${port}/ws/websocket`,
      ['v12.stomp', `${TOKEN_SUB_PROTOCOL}${token}`],
      {
        perMessageDeflate: false,
        ...(socket && { createConnection: () => socket }),
      },
    );
    this.#socket.on('open', () =>
      this.send('CONNECT', {
        'accept-version': '1.2',
        host: 'localhost',
        'heart-beat': '0,4000',
        Authorization: `Bearer ${token}`,
      }),
    );
    this.#socket.on('message', (data) => {
      this.#heardAtMs = performance.now();
      for (const text of String(data).split('\0')) if (text.trim() !== '') onFrame(read(text));
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', (code) => {
      clearInterval(this.#watch);
      onClose(code);
    });
    this.#watch = setInterval(() => {
      if (performance.now() - this.#heardAtMs > GIVE_UP_AFTER_MS) this.cut();
    }, LOOK_EVERY_MS);
  }

  send(command: string, headers: Readonly<Record<string, string>>, body = ''): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
    this.#socket.send(`${command}\n${lines.join('')}\n${body}\0`);
  }

  cut(): void {
    this.#socket.terminate();
  }
}

function read(text: string): StompFrame {
  const frame = text.replace(/^\n+/u, '');
  const headEnd = frame.indexOf('\n\n');
  const [command = '', ...lines] = frame.slice(0, headEnd).split('\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1)];
  });
  return { command, headers: new Map(headers.reverse()), body: frame.slice(headEnd + 2) };
}
