import type { HeaderEntries } from './frame.ts';

export type MaybePromise<T> = T | Promise<T>;

/** A hook's answer to a frame: nothing accepts it. */
// biome-ignore lint/suspicious/noConfusingVoidType: lets a hook be a function without a return.
export type Answer = MaybePromise<Refusal | undefined | void>;

/** As {@link Answer}; a {@link Receipt} accepts and adds headers to the RECEIPT, if one is asked for. */
// biome-ignore lint/suspicious/noConfusingVoidType: lets a hook be a function without a return.
export type SendAnswer = MaybePromise<Receipt | Refusal | undefined | void>;

/** Accepts a SEND and adds `headers` to its RECEIPT. */
export class Receipt {
  readonly headers: HeaderEntries;

  constructor(headers: HeaderEntries) {
    this.headers = headers;
  }
}

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

/** Calls a hook. A thrown Refusal equals a returned one; other errors pass through. */
export function consult<T>(ask: () => MaybePromise<T | Refusal>): MaybePromise<T | Refusal> {
  try {
    const answer = ask();
    return answer instanceof Promise ? answer.catch(asRefusal) : answer;
  } catch (error) {
    return asRefusal(error);
  }
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** Continues at once with a synchronous value: frames with synchronous hooks never wait a tick. */
export function andThen<T, Next>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
