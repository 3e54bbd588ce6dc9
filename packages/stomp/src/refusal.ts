import type { HeaderEntries } from './frame.ts';

export interface RefusalOptions {
  /** More headers for the ERROR frame, e.g. an error code. */
  readonly headers?: HeaderEntries;
  readonly body?: string;
  /**
   * Keeps the connection. STOMP closes it after an ERROR, but a chat message sent too fast should not cost
   * the room. A refused CONNECT always closes.
   */
  readonly staysOpen?: boolean;
  /** WebSocket close code, 1008 (policy) unless given. */
  readonly closeCode?: number;
}

/** A refusal by the application: becomes an ERROR frame. May be returned or thrown by a hook. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly options: RefusalOptions;

  /** `message` is sent to the client. */
  constructor(message: string, options: RefusalOptions = {}) {
    super(message);
    this.options = options;
  }
}
