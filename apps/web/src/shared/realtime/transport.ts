import type { ErrorName } from '@mogakgong/contract';

/** Where the realtime connection stands (specification §4). */
export type RealtimeState = 'connecting' | 'connected' | 'disconnected';

/** One destination that is listened to for as long as it is open, over every reconnect. */
export interface Listening {
  readonly destination: string;
  /** Headers of SUBSCRIBE, asked for each time the subscription is made. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly onMessage: (body: unknown, headers: Readonly<Record<string, string>>) => void;
}

/** Headers with which the server confirms a send. */
export type Receipt = Readonly<Record<string, string>>;

export interface OpenListening {
  /** Subscribes again, for example because something was missed. */
  renew(): void;
  close(): void;
}

/** What features ask of the realtime connection; the room page gives it to them. */
export interface RealtimeTransport {
  getState(): RealtimeState;
  /** Calls back when the state may have changed; returns how to stop that. */
  onState(listener: () => void): () => void;
  listen(listening: Listening): OpenListening;
  /**
   * Resolves when the server says that it is done.
   * @throws SendError
   */
  send(
    destination: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<Receipt>;
}

/** A send that was not confirmed. `lost`: nobody knows whether it arrived. */
export class SendError extends Error {
  readonly reason: 'lost' | 'refused';
  /** The row of the error table behind a refusal, where it is one we know. */
  readonly errorName: ErrorName | null;

  constructor(reason: 'lost' | 'refused', message = '', errorName: ErrorName | null = null) {
    super(message);
    this.name = 'SendError';
    this.reason = reason;
    this.errorName = errorName;
  }
}
