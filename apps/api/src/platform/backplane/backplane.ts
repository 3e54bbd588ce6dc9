/** Takes what another or this process published on a channel. */
export type ChannelHandler = (payload: string) => void;

/** `degraded`: what this process publishes may not reach the others at the moment. */
export type BackplaneState = 'whole' | 'degraded';

/**
 * Carries events between the processes of one site. Delivery is at most once: whoever needs more
 * (chat does) numbers its events and fills gaps from the database. What a process publishes always
 * reaches its own handlers, at once, whatever the state.
 */
export interface Backplane {
  readonly state: BackplaneState;
  publish(channel: string, payload: string): void;
  /** Returns the way to stop. A process receives only the channels it asked for. */
  subscribe(channel: string, handler: ChannelHandler): () => void;
  /**
   * Called with every change of state, and with `whole` once more when another process could not publish for a
   * while: after each `whole` events may have been missed.
   */
  onState(listener: (state: BackplaneState) => void): void;
  close(): Promise<void>;
}

/** The handlers of this process by channel. */
export class LocalChannels {
  readonly #handlers = new Map<string, Set<ChannelHandler>>();

  /** Whether this is the channel's first handler. */
  add(channel: string, handler: ChannelHandler): boolean {
    const known = this.#handlers.get(channel);
    if (known) {
      known.add(handler);
      return false;
    }
    this.#handlers.set(channel, new Set([handler]));
    return true;
  }

  /** Whether it was the channel's last handler. */
  remove(channel: string, handler: ChannelHandler): boolean {
    const known = this.#handlers.get(channel);
    if (!known?.delete(handler) || known.size > 0) return false;
    return this.#handlers.delete(channel);
  }

  /** One handler that breaks, say on an event of another version, hinders nobody else. */
  deliver(channel: string, payload: string): void {
    for (const handler of this.#handlers.get(channel) ?? []) {
      try {
        handler(payload);
      } catch (error) {
        process.emitWarning(`An event of ${channel} was not understood: ${error}`);
      }
    }
  }

  has(channel: string): boolean {
    return this.#handlers.has(channel);
  }

  get names(): readonly string[] {
    return [...this.#handlers.keys()];
  }
}
