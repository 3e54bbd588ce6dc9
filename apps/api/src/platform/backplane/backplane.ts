/** Takes events that any process published on a channel; they are not changed. */
export type ChannelHandler<Event = never> = (event: Event) => void;

/** Whether something applies to a channel. */
export type IsAffected = (channel: string) => boolean;
export type StateListener = (state: BackplaneState, isAffected: IsAffected) => void;
export type MissedListener = (isAffected: IsAffected) => void;

/** `degraded`: events of this process may not reach the others at the moment. */
export type BackplaneState = 'whole' | 'degraded';

/**
 * Carries events between the processes of one site, at most once: a feature that needs more (such as chat)
 * numbers its events and fills gaps from the database. Events of a process always reach its own handlers, at
 * once, as they are, in any state; other processes get them as JSON.
 */
export interface Backplane {
  /** `degraded` if any channel is. */
  readonly state: BackplaneState;
  stateOf(channel: string): BackplaneState;
  /** Processes of the site that this one knows of, itself included. */
  readonly processes: number;
  /**
   * Set while events may be missing that this one cannot know of: another process says so, in the database, or the
   * database was away a moment ago.
   */
  isUncertain: boolean;
  /** Time of the last event of this process to itself through Redis; 0 without Redis. */
  readonly lagMs: number;
  publish(channel: string, event: unknown): void;
  /** Returns a function that stops it. A process receives only the channels that it subscribed to. */
  subscribe<Event>(channel: string, handler: ChannelHandler<Event>): () => void;
  /**
   * Calls `listener` with every change of the state of some channels, and with `whole` again after another
   * process could not publish for a while: events may have been missed before each `whole`.
   */
  onState(listener: StateListener): void;
  /**
   * Calls `listener` when events may have been missed: with each `whole`, and when another process has begun
   * or fallen silent, because one that is killed may have stored what it did not publish.
   */
  onMissed(listener: MissedListener): void;
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

  /** A handler that fails, for example on an event of another version, does not affect the others. */
  deliver(channel: string, event: unknown): void {
    for (const handler of this.#handlers.get(channel) ?? []) {
      try {
        handler(event as never);
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

/** The backplane of a site with one process: everything is delivered at once. */
export function createInProcessBackplane(): Backplane {
  const channels = new LocalChannels();
  return {
    state: 'whole',
    stateOf: () => 'whole',
    processes: 1,
    isUncertain: false,
    lagMs: 0,
    publish: (channel, event) => channels.deliver(channel, event),
    subscribe(channel, handler) {
      channels.add(channel, handler);
      return () => void channels.remove(channel, handler);
    },
    onState: () => undefined,
    onMissed: () => undefined,
    close: async () => undefined,
  };
}
