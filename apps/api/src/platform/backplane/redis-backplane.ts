import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Logger } from '../logger/index.ts';
import {
  type Backplane,
  type BackplaneState,
  type ChannelHandler,
  LocalChannels,
} from './backplane.ts';

interface RedisBackplaneOptions {
  readonly url: string;
  /** Sites that share a Redis share nothing else: it is part of the name of every channel. */
  readonly siteId: string;
  readonly logger: Logger;
}

const LONGEST_RETRY_MS = 2_000;
const FIRST_RETRY_MS = 100;
/** Redis closes nothing when a machine vanishes: a connection that answers no ping is given up. */
const PING_EVERY_MS = 5_000;
const PING_DEADLINE_MS = 3_000;

const connectionOptions = {
  retryStrategy: (tries: number) => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * tries),
  // Events that could not be sent are filled from the database; old ones must not pile up.
  enableOfflineQueue: false,
  maxRetriesPerRequest: null,
  autoResubscribe: false,
};

const ignore = () => undefined;

/**
 * The backplane of several processes: a Redis channel for each of ours, subscribed only while this
 * process has handlers. Without Redis each process goes on by itself, `degraded`.
 */
class RedisBackplane implements Backplane {
  /** Marks what this process published, which it has delivered to itself already. */
  readonly #self = randomUUID();
  readonly #channels = new LocalChannels();
  readonly #listeners: ((state: BackplaneState) => void)[] = [];
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #pings: NodeJS.Timeout;
  readonly #logger: Logger;
  readonly #prefix: string;
  #isSubscribed = false;
  #state: BackplaneState = 'degraded';

  constructor({ url, siteId, logger }: RedisBackplaneOptions) {
    this.#logger = logger;
    this.#prefix = `mogakgong:${siteId}:`;
    this.#publisher = new Redis(url, connectionOptions);
    this.#subscriber = new Redis(url, connectionOptions);
    this.#subscriber.on('ready', () => void this.#subscribeAll());
    this.#subscriber.on('close', () => {
      this.#isSubscribed = false;
    });
    this.#subscriber.on('message', (channel: string, message: string) =>
      this.#receive(channel, message),
    );
    for (const connection of [this.#publisher, this.#subscriber]) {
      connection.on('ready', () => this.#update());
      connection.on('close', () => this.#update());
      connection.on('error', (error) => logger.debug({ err: error }, 'no connection to Redis'));
    }
    this.#pings = setInterval(() => this.#pingAll(), PING_EVERY_MS).unref();
  }

  get state(): BackplaneState {
    return this.#state;
  }

  publish(channel: string, payload: string): void {
    this.#channels.deliver(channel, payload);
    if (this.#publisher.status !== 'ready') return;
    this.#publisher.publish(this.#prefix + channel, `${this.#self} ${payload}`).catch(ignore);
  }

  subscribe(channel: string, handler: ChannelHandler): () => void {
    const isFirst = this.#channels.add(channel, handler);
    if (isFirst && this.#subscriber.status === 'ready') {
      this.#subscriber.subscribe(this.#prefix + channel).catch(ignore);
    }
    return () => {
      const wasLast = this.#channels.remove(channel, handler);
      if (wasLast && this.#subscriber.status === 'ready') {
        this.#subscriber.unsubscribe(this.#prefix + channel).catch(ignore);
      }
    };
  }

  onState(listener: (state: BackplaneState) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#pings);
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
  }

  async #subscribeAll(): Promise<void> {
    // The own channel keeps the command valid when no other is held yet.
    const names = [this.#self, ...this.#channels.names].map((name) => this.#prefix + name);
    try {
      await this.#subscriber.subscribe(...names);
      this.#isSubscribed = true;
      this.#update();
    } catch {
      // The connection was lost meanwhile; the next one subscribes again.
    }
  }

  #receive(channel: string, message: string): void {
    const separator = message.indexOf(' ');
    if (message.slice(0, separator) === this.#self) return;
    this.#channels.deliver(channel.slice(this.#prefix.length), message.slice(separator + 1));
  }

  #update(): void {
    const isWhole = this.#publisher.status === 'ready' && this.#isSubscribed;
    const state = isWhole ? 'whole' : 'degraded';
    if (state === this.#state) return;
    this.#state = state;
    this.#logger.warn({ state }, 'the backplane is in another state');
    for (const listener of this.#listeners) listener(state);
  }

  #pingAll(): void {
    for (const connection of [this.#publisher, this.#subscriber]) {
      if (connection.status === 'ready') void demandPong(connection);
    }
  }
}

async function demandPong(connection: Redis): Promise<void> {
  const deadline = setTimeout(() => connection.disconnect(true), PING_DEADLINE_MS);
  try {
    await connection.ping();
  } catch {
    // The connection was lost meanwhile and is being made again.
  } finally {
    clearTimeout(deadline);
  }
}

/** @param options `url` is a redis:// address. */
export function createRedisBackplane(options: RedisBackplaneOptions): Backplane {
  return new RedisBackplane(options);
}
