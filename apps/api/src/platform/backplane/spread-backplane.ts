import { hash } from 'node:crypto';
import type {
  Backplane,
  BackplaneState,
  ChannelHandler,
  MissedListener,
  StateListener,
} from './backplane.ts';
import { RedisBackplane, type RedisBackplaneOptions } from './redis-backplane.ts';

const DEFAULT_PORT = 6379;

/**
 * The server of a key, by rendezvous hashing: every process chooses the same one, in whatever order it lists
 * them, and another server in the list moves only the keys that it gets.
 */
export function serverOf(urls: Iterable<string>, key: string): string {
  const [first] = [...urls]
    .map((url) => ({ url, rank: hash('sha1', `${nameOf(url)} ${key}`) }))
    .sort((a, b) => (a.rank < b.rank ? 1 : -1));
  if (!first) throw new Error('there is no server to choose from');
  return first.url;
}

const names = new Map<string, string>();

/** Host, port and database: a password may differ between processes, for example while it is replaced. */
function nameOf(url: string): string {
  const known = names.get(url);
  if (known !== undefined) return known;
  const { hostname, port, pathname } = new URL(url);
  const name = `${hostname}:${port || DEFAULT_PORT}/${pathname.replaceAll('/', '')}`;
  names.set(url, name);
  return name;
}

/** Several backplanes as one: the loss of one server degrades its channels alone. */
class SpreadBackplane implements Backplane {
  readonly #parts: ReadonlyMap<string, Backplane>;
  isUncertain = false;

  /** @param parts by the address of their server. */
  constructor(parts: ReadonlyMap<string, Backplane>) {
    this.#parts = parts;
  }

  get state(): BackplaneState {
    const isWhole = [...this.#parts.values()].every(({ state }) => state === 'whole');
    return isWhole ? 'whole' : 'degraded';
  }

  stateOf(channel: string): BackplaneState {
    return this.#partOf(channel).state;
  }

  get processes(): number {
    return Math.max(...[...this.#parts.values()].map(({ processes }) => processes));
  }

  /** Of the slowest server. */
  get lagMs(): number {
    return Math.max(...[...this.#parts.values()].map(({ lagMs }) => lagMs));
  }

  publish(channel: string, event: unknown): void {
    this.#partOf(channel).publish(channel, event);
  }

  subscribe<Event>(channel: string, handler: ChannelHandler<Event>): () => void {
    return this.#partOf(channel).subscribe(channel, handler);
  }

  onState(listener: StateListener): void {
    for (const part of this.#parts.values()) {
      part.onState((state) => listener(state, (channel) => this.#partOf(channel) === part));
    }
  }

  onMissed(listener: MissedListener): void {
    for (const part of this.#parts.values()) {
      part.onMissed(() => listener((channel) => this.#partOf(channel) === part));
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#parts.values()].map((part) => part.close()));
  }

  #partOf(channel: string): Backplane {
    const part = this.#parts.get(serverOf(this.#parts.keys(), channel));
    if (!part) throw new Error(`no server has the channel ${channel}`);
    return part;
  }
}

/** The backplane of several processes, through one Redis or several. */
export function createRedisBackplane(options: RedisBackplaneOptions): Backplane {
  const parts = options.urls.map((url) => [url, new RedisBackplane(url, options)] as const);
  return parts.length === 1 && parts[0] ? parts[0][1] : new SpreadBackplane(new Map(parts));
}
