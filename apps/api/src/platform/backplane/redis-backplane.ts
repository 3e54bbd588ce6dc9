import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Logger } from '../logger/index.ts';
import {
  type Backplane,
  type BackplaneState,
  type ChannelHandler,
  LocalChannels,
  type MissedListener,
  type StateListener,
} from './backplane.ts';

export interface RedisBackplaneOptions {
  /** Addresses of independent servers: each channel has one of them. */
  readonly urls: readonly string[];
  /** Part of every channel's name: sites that share a Redis share nothing else. */
  readonly siteId: string;
  readonly logger: Logger;
}

const LONGEST_RETRY_MS = 2_000;
const FIRST_RETRY_MS = 100;
/** Redis closes nothing when a machine vanishes: a connection without an answer in time is replaced. */
const PING_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 3_000;
/** Channel on which a process reports that events of its own were lost. Every process subscribes to it. */
const GAPS_CHANNEL = 'gaps';
/** Channel of signs of life: a PUBLISH to it also shows that this process may publish. */
const PING_CHANNEL = 'ping';
/** A process without a sign of life for this time counts as ended. */
const SILENT_MS = 2.5 * PING_EVERY_MS;
/** Processes that begin or end together cause one comparison. */
const MISSED_AFTER_MS = 1_000;

const retryMs = (tries: number) => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * tries);

const connectionOptions = {
  retryStrategy: retryMs,
  // Unsent events are filled from the database; old ones must not pile up.
  enableOfflineQueue: false,
  // Pending commands fail at once when a connection breaks.
  maxRetriesPerRequest: 0,
  socketTimeout: ANSWER_WITHIN_MS,
  autoResubscribe: false,
};

const everyChannel = () => true;
const ignore = () => undefined;

/**
 * The backplane of several processes: a Redis channel for each of ours, subscribed only while this process
 * has handlers. Without Redis each process continues alone, `degraded`; the same while Redis refuses a
 * channel or a PUBLISH, which is retried (decision 106).
 */
export class RedisBackplane implements Backplane {
  /** Marks the events of this process, which it has already delivered to itself. */
  readonly #self = randomUUID();
  readonly #channels = new LocalChannels();
  readonly #listeners: StateListener[] = [];
  readonly #missedListeners: MissedListener[] = [];
  /** The other processes, with the times of their last signs of life. */
  readonly #others = new Map<string, number>();
  #missed: NodeJS.Timeout | undefined;
  /** When the ping that has not come back was sent. */
  #pingedMs: number | undefined;
  #lagMs = 0;
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #pings: NodeJS.Timeout;
  readonly #logger: Logger;
  readonly #prefix: string;
  /** Wanted channels that are not requested on this connection yet, or were refused. */
  #missing = new Set<string>();
  #isSubscribing = false;
  /** Refusals to subscribe, in a row. */
  #refusals = 0;
  #retry: NodeJS.Timeout | undefined;
  /** All channels wanted at some moment of this connection were subscribed then, and none was refused since. */
  #isSubscribed = false;
  #canPublish = true;
  /** Events of this process did not reach the others, and they do not know it yet. */
  #hasLost = false;
  #state: BackplaneState = 'degraded';
  isUncertain = false;

  constructor(url: string, { siteId, logger }: RedisBackplaneOptions) {
    this.#logger = logger;
    this.#prefix = `mogakgong:${siteId}:`;
    this.#publisher = new Redis(url, connectionOptions);
    this.#subscriber = new Redis(url, connectionOptions);
    this.#channels.add(GAPS_CHANNEL, () => this.#gapEnded());
    this.#channels.add(PING_CHANNEL, ignore);
    this.#publisher.on('ready', () => {
      this.#canPublish = true;
      this.#ping();
    });
    this.#subscriber.on('ready', () => {
      this.#missing = new Set(this.#channels.names);
      void this.#subscribeMissing();
    });
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

  stateOf(): BackplaneState {
    return this.#state;
  }

  get processes(): number {
    return this.#others.size + 1;
  }

  get lagMs(): number {
    const waitedMs = this.#pingedMs === undefined ? 0 : performance.now() - this.#pingedMs;
    return Math.max(this.#lagMs, waitedMs);
  }

  publish(channel: string, event: unknown): void {
    this.#channels.deliver(channel, event);
    this.#send(channel, event).catch(ignore);
  }

  subscribe<Event>(channel: string, handler: ChannelHandler<Event>): () => void {
    if (this.#channels.add(channel, handler)) {
      this.#missing.add(channel);
      // After a refusal it waits for the next try with all others.
      if (this.#refusals === 0) void this.#subscribeMissing();
    }
    return () => {
      if (!this.#channels.remove(channel, handler)) return;
      this.#missing.delete(channel);
      // A subscribed channel without handlers still costs its messages.
      if (isReady(this.#subscriber)) {
        this.#subscriber.unsubscribe(this.#prefix + channel).catch(ignore);
      }
    };
  }

  onState(listener: StateListener): void {
    this.#listeners.push(listener);
  }

  onMissed(listener: MissedListener): void {
    this.#missedListeners.push(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#pings);
    clearTimeout(this.#missed);
    clearTimeout(this.#retry);
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
  }

  /** Subscribes to the missing channels. Tries the refused ones again later, until the next connection. */
  async #subscribeMissing(): Promise<void> {
    if (this.#isSubscribing) return;
    clearTimeout(this.#retry);
    this.#isSubscribing = true;
    while (this.#missing.size > 0 && isReady(this.#subscriber)) {
      const asked = [...this.#missing];
      this.#missing.clear();
      try {
        const names = asked.map((name) => this.#prefix + name);
        await this.#subscriber.subscribe(...names);
        this.#refusals = 0;
        this.#isSubscribed = true;
      } catch (error) {
        for (const name of asked) if (this.#channels.has(name)) this.#missing.add(name);
        this.#isSubscribed = false;
        this.#refusals += 1;
        this.#logger.warn({ err: error }, 'could not subscribe channels of Redis');
        this.#retry = setTimeout(() => void this.#subscribeMissing(), retryMs(this.#refusals));
        this.#retry.unref();
        break;
      }
    }
    this.#isSubscribing = false;
    this.#update();
  }

  async #send(channel: string, event: unknown): Promise<void> {
    try {
      if (!isReady(this.#publisher)) throw new Error('no connection to Redis');
      await this.#publisher.publish(
        this.#prefix + channel,
        `${this.#self} ${JSON.stringify(event)}`,
      );
      this.#canPublish = true;
    } catch (error) {
      this.#hasLost ||= channel !== PING_CHANNEL;
      this.#canPublish = false;
      throw error;
    } finally {
      this.#update();
    }
  }

  #receive(channel: string, message: string): void {
    const separator = message.indexOf(' ');
    const sender = message.slice(0, separator);
    const isPing = channel === this.#prefix + PING_CHANNEL;
    if (sender === this.#self) {
      if (isPing) this.#pingReturned();
      return;
    }
    if (isPing) {
      this.#hear(sender);
      return;
    }
    let event: unknown;
    try {
      event = JSON.parse(message.slice(separator + 1));
    } catch (error) {
      this.#logger.warn({ err: error, channel }, 'an event of the backplane is no JSON');
      return;
    }
    this.#channels.deliver(channel.slice(this.#prefix.length), event);
  }

  #update(): void {
    const isConnected = isReady(this.#publisher) && isReady(this.#subscriber);
    const isWhole = isConnected && this.#isSubscribed && this.#canPublish;
    const state = isWhole ? 'whole' : 'degraded';
    if (isWhole && this.#hasLost) {
      this.#hasLost = false;
      this.#send(GAPS_CHANNEL, null).catch(ignore);
    }
    if (state === this.#state) return;
    this.#state = state;
    // Their silence until now says nothing about them.
    for (const process of this.#others.keys()) this.#others.set(process, performance.now());
    this.#logger.warn({ state }, 'the backplane is in another state');
    this.#tell(state);
  }

  #tell(state: BackplaneState): void {
    for (const listener of this.#listeners) listener(state, everyChannel);
    if (state === 'whole') for (const listener of this.#missedListeners) listener(everyChannel);
  }

  /** Another process could not publish for a while. If this one is degraded, it reports that later. */
  #gapEnded(): void {
    if (this.#state === 'whole') this.#tell('whole');
  }

  /** A new process may replace one that was killed between storing and publishing. */
  #hear(process: string): void {
    if (!this.#others.has(process)) this.#suspect();
    this.#others.set(process, performance.now());
  }

  #suspect(): void {
    this.#missed ??= setTimeout(() => {
      this.#missed = undefined;
      for (const listener of this.#missedListeners) listener(everyChannel);
    }, MISSED_AFTER_MS).unref();
  }

  #pingAll(): void {
    this.#ping();
    if (isReady(this.#subscriber)) this.#subscriber.ping().catch(ignore);
    // Without Redis the others are silent, and still there.
    if (this.#state !== 'whole') return;
    for (const [process, heardMs] of this.#others) {
      if (performance.now() - heardMs < SILENT_MS) continue;
      this.#others.delete(process);
      this.#suspect();
    }
  }

  #ping(): void {
    if (!isReady(this.#publisher)) return;
    this.#pingedMs = performance.now();
    this.#send(PING_CHANNEL, null).catch(ignore);
  }

  #pingReturned(): void {
    if (this.#pingedMs !== undefined) this.#lagMs = performance.now() - this.#pingedMs;
    this.#pingedMs = undefined;
  }
}

const isReady = ({ status }: Redis) => status === 'ready';
