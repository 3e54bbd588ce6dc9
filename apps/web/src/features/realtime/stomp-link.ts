import { HEART_BEAT_MS, REALTIME_PATH, REQUEST_TIMEOUT_MS } from '@mogakgong/contract';
import { Client, type IFrame, type IMessage } from '@stomp/stompjs';
import type { Receipt } from '../../shared/realtime/transport.ts';
import { beatWhileHidden } from './hidden-heart-beat.ts';

const LINE_FEED = '\n';

export interface LinkListeners {
  onConnected(): void;
  onError(frame: IFrame): void;
  onReceipt(headers: Receipt): void;
  /** Called once, also for a link that never connected; nothing else is called after it. */
  onClosed(): void;
}

/** The address of the realtime connection on this site. */
export function realtimeUrl(page: string): string {
  const url = new URL(REALTIME_PATH, page);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** One STOMP connection from CONNECT to its end; it never connects again by itself. */
export class StompLink {
  readonly #client: Client;
  #stopBeating: () => void = () => undefined;
  #isOver = false;

  constructor(url: string, token: string, listeners: LinkListeners) {
    const whileOpen =
      <Args extends unknown[]>(listener: (...args: Args) => void) =>
      (...args: Args) => {
        if (!this.#isOver) listener(...args);
      };
    this.#client = new Client({
      brokerURL: url,
      connectHeaders: { Authorization: `Bearer ${token}` },
      connectionTimeout: REQUEST_TIMEOUT_MS,
      heartbeatIncoming: HEART_BEAT_MS,
      heartbeatOutgoing: HEART_BEAT_MS,
      reconnectDelay: 0,
      // A dead network would keep a socket in its closing handshake for minutes.
      discardWebsocketOnCommFailure: true,
      onConnect: whileOpen(() => {
        listeners.onConnected();
        // Heart-beats are worth less than the connection, and a listener may have ended it.
        if (!this.#isOver) this.#stopBeating = beatWhileHidden(() => this.#beat());
      }),
      onStompError: whileOpen((frame: IFrame) => listeners.onError(frame)),
      onUnhandledReceipt: whileOpen((frame: IFrame) => listeners.onReceipt(frame.headers)),
      onWebSocketClose: whileOpen(() => {
        this.close();
        listeners.onClosed();
      }),
    });
    this.#client.activate();
  }

  subscribe(
    id: string,
    destination: string,
    headers: Readonly<Record<string, string>>,
    onMessage: (message: IMessage) => void,
  ): void {
    this.#client.subscribe(destination, onMessage, { ...headers, id });
  }

  unsubscribe(id: string): void {
    this.#client.unsubscribe(id);
  }

  publish(destination: string, body: string, headers: Readonly<Record<string, string>>): void {
    this.#client.publish({ destination, body, headers: { ...headers } });
  }

  /** Ends the connection; its listeners hear nothing more. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopBeating();
    void this.#client.deactivate();
  }

  #beat(): void {
    const socket = this.#client.webSocket;
    if (socket?.readyState === WebSocket.OPEN) socket.send(LINE_FEED);
  }
}
