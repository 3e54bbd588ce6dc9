import { MINUTE_MS, type RoomId, type UserId } from '@mogakgong/contract';
import {
  type ClaimGrants,
  RoomServiceClient,
  TokenVerifier,
  type WebhookEvent,
  WebhookReceiver,
} from 'livekit-server-sdk';
import type { ProcessContext } from '../../platform/context/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import { createSecretBox, type SecretBox } from '../../platform/sealed-values/index.ts';
import {
  createMediaServersRepository,
  type MediaServersRepository,
  type StoredServer,
} from './media-servers.repository.ts';
import { answers } from './server-probe.ts';

const REQUEST_TIMEOUT_SECONDS = 5;

/** A LiveKit of the site, as this process last read of it. */
export interface MediaServer {
  readonly id: number;
  /** Its http(s) address for this process; browsers reach it by way of our own port. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Whether it answered last. */
  readonly isUp: boolean;
  /** Whether it takes rooms: it is up, and not being drained. */
  readonly isOpen: boolean;
  /** Learners in its rooms, about. */
  readonly load: number;
  readonly client: RoomServiceClient;
}

/** The address of a server as it is stored, from one that an operator gave. */
export const serverUrlOf = (address: string) => address.replace(/^ws/u, 'http').replace(/\/$/u, '');

/** The LiveKit servers that LIVEKIT_URL lists. */
interface ListedServers {
  readonly urls: readonly string[];
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** A learner in a room that has moved to another server. */
export interface Moved {
  readonly userId: UserId;
  readonly roomId: RoomId;
}

interface MediaServersParts extends Pick<ProcessContext, 'clock' | 'logger'> {
  readonly repository: MediaServersRepository;
  readonly secretBox: SecretBox;
}

/** The media servers of the site, each with rooms of its own, and which server a room has. */
export class MediaServers {
  readonly #parts: MediaServersParts;
  readonly #listeners: ((moved: readonly Moved[]) => void)[] = [];
  /** Servers with a secret that was sealed with another AUTH_SECRET. */
  readonly #unreadable = new Set<number>();
  #servers: ReadonlyMap<number, MediaServer> = new Map();

  constructor(parts: MediaServersParts) {
    this.#parts = parts;
  }

  /** Stores the servers of the environment in the place of those that it listed before. */
  async list({ urls, apiKey, apiSecret }: ListedServers): Promise<void> {
    const { repository, clock } = this.#parts;
    for (const url of urls) await this.store({ url, apiKey, apiSecret, isAdded: false });
    await repository.keepListed(urls, clock.now());
    await this.refresh();
    // One that was down when the product stopped may have started since.
    await this.#ask(this.all.filter(({ isUp }) => !isUp));
  }

  /** Adds a server, or gives the one of this address another key. */
  async store(server: {
    readonly url: string;
    readonly apiKey: string;
    readonly apiSecret: string;
    readonly isAdded: boolean;
  }): Promise<void> {
    const { repository, secretBox } = this.#parts;
    const { url, apiKey, apiSecret, isAdded } = server;
    const sealedSecret = await secretBox.seal(Buffer.from(apiSecret), url);
    await repository.store({ url, apiKey, sealedSecret, isAdded });
  }

  /** A server that was drained takes rooms again. @returns whether there is such a server. */
  open(url: string): Promise<boolean> {
    return this.#parts.repository.drain(url, null);
  }

  /** @returns whether there is such a server. */
  drain(url: string, minutes: number): Promise<boolean> {
    const { repository, clock } = this.#parts;
    return repository.drain(url, new Date(clock.now().getTime() + minutes * MINUTE_MS));
  }

  /** @returns whether there was such a server, without learners. */
  remove(url: string): Promise<boolean> {
    return this.#parts.repository.remove(url);
  }

  /** Repeated: reads which servers there are, and how they do. */
  async refresh(): Promise<void> {
    const stored = await this.#parts.repository.find();
    const known = await Promise.all(stored.map((row) => this.#known(row)));
    this.#servers = new Map(known.flatMap((server) => (server ? [[server.id, server]] : [])));
  }

  /** Repeated: seals secrets again after AUTH_SECRET has changed. */
  reseal(): Promise<void> {
    return this.#parts.secretBox.reseal({ table: 'media_server', key: 'id', owner: 'url' });
  }

  get all(): readonly MediaServer[] {
    return [...this.#servers.values()];
  }

  find(id: number): MediaServer | null {
    return this.#servers.get(id) ?? null;
  }

  /**
   * Parts the rooms that a server has into its own and those of other servers. One with learners and without a
   * server becomes its own, as after the release that began to store servers.
   */
  async sort({ id }: MediaServer, roomIds: readonly RoomId[]) {
    const { repository } = this.#parts;
    await repository.adopt(roomIds, id);
    const servers = await repository.findServersOf(roomIds);
    return {
      own: roomIds.filter((roomId) => servers.get(roomId) === id),
      others: roomIds.filter((roomId) => servers.get(roomId) !== id),
    };
  }

  /** The server of a room; null if it has none. */
  async of(roomId: RoomId): Promise<MediaServer | null> {
    return this.#read(await this.#idOf(roomId));
  }

  /**
   * The server for a learner who enters a room. A room without one, with one that is down, or alone on one that
   * is drained gets the open one with the least load.
   * @throws ApiError `mediaUnavailable` if no server can have it.
   */
  async choose(roomId: RoomId, userId: UserId): Promise<MediaServer> {
    const { repository } = this.#parts;
    const formerId = await this.#idOf(roomId);
    const former = await this.#read(formerId);
    if (former?.isOpen) return former;
    if (former?.isUp && (await repository.hasOthers(roomId, userId))) return former;
    const id = await repository.choose(roomId, formerId, this.#ids);
    // It may be open for another process already.
    await this.refresh();
    const chosen = id === null ? former : this.find(id);
    if (!chosen?.isUp) throw new ApiError('mediaUnavailable');
    if (formerId !== null && chosen.id !== formerId) {
      const others = (await repository.findMembers(roomId)).filter((other) => other !== userId);
      this.#tell(others.map((other) => ({ userId: other, roomId })));
    }
    return chosen;
  }

  /** Calls with the learners in rooms that moved to another server, in one process. */
  onMoved(listener: (moved: readonly Moved[]) => void): void {
    this.#listeners.push(listener);
  }

  /** The claims of a token of one of the servers; null for any other. */
  async verify(token: string): Promise<ClaimGrants | null> {
    for (const { apiKey, apiSecret } of this.#keys()) {
      const claims = await new TokenVerifier(apiKey, apiSecret).verify(token).catch(() => null);
      if (claims !== null) return claims;
    }
    return null;
  }

  /** The event of one of the servers, signed with its key; null for any other text. */
  async receive(text: string, authorization: string | undefined): Promise<WebhookEvent | null> {
    for (const { apiKey, apiSecret } of this.#keys()) {
      const receiver = new WebhookReceiver(apiKey, apiSecret);
      const event = await receiver.receive(text, authorization).catch(() => null);
      if (event !== null) return event;
    }
    return null;
  }

  /**
   * Repeated, by one process of the site: asks every server whether it lives, and moves rooms away from those
   * that do not, or that are drained.
   */
  async probe(): Promise<void> {
    const { repository, clock, logger } = this.#parts;
    await this.refresh();
    await this.#ask(this.all);
    if (this.all.every(({ isOpen }) => isOpen)) return;
    for (;;) {
      const moved = await repository.move(clock.now(), this.#ids);
      if (moved.length === 0) return;
      logger.info({ learners: moved.length }, 'moved rooms to another media server');
      this.#tell(moved);
    }
  }

  /** Repeated, by one process of the site. */
  countLoad(): Promise<void> {
    return this.#parts.repository.countLoad();
  }

  /** Asks servers whether they live, and stores what has changed. */
  async #ask(servers: readonly MediaServer[]): Promise<void> {
    const { repository, clock, logger } = this.#parts;
    const now = clock.now();
    const ask = async ({ id, url }: MediaServer) => {
      const isAnswering = await answers(url);
      if (!(await repository.noteAnswer(id, now, isAnswering))) return;
      if (isAnswering) logger.info({ url }, 'a media server answers again');
      else logger.warn({ url }, 'a media server does not answer');
    };
    await Promise.all(servers.map(ask));
    await this.refresh();
  }

  async #idOf(roomId: RoomId): Promise<number | null> {
    return (await this.#parts.repository.findServersOf([roomId])).get(roomId) ?? null;
  }

  /** The server of this id, which another process may just have added. */
  async #read(id: number | null): Promise<MediaServer | null> {
    if (id === null) return null;
    if (!this.#servers.has(id)) await this.refresh();
    return this.find(id);
  }

  get #ids(): readonly number[] {
    return this.all.map(({ id }) => id);
  }

  #tell(moved: readonly Moved[]): void {
    for (const listener of this.#listeners) listener(moved);
  }

  #keys(): readonly MediaServer[] {
    const byKey = this.all.map(
      (server) => [`${server.apiKey} ${server.apiSecret}`, server] as const,
    );
    return [...new Map(byKey).values()];
  }

  /** Null for a secret that was sealed with another AUTH_SECRET. */
  async #known(stored: StoredServer): Promise<MediaServer | null> {
    const { id, url, apiKey, sealedSecret, drainedBy, downSince, load } = stored;
    const known = this.#servers.get(id);
    const isUp = downSince === null;
    const isOpen = isUp && drainedBy === null;
    const opened = await this.#parts.secretBox.open(sealedSecret, url);
    if (opened === null) {
      const message = 'the secret of a media server cannot be read: add it again';
      if (!this.#unreadable.has(id)) this.#parts.logger.error({ url }, message);
      this.#unreadable.add(id);
      return null;
    }
    const apiSecret = String(opened);
    const isSame = known?.apiKey === apiKey && known.apiSecret === apiSecret;
    const options = { requestTimeout: REQUEST_TIMEOUT_SECONDS };
    const client = isSame ? known.client : new RoomServiceClient(url, apiKey, apiSecret, options);
    return { id, url, apiKey, apiSecret, isUp, isOpen, load, client };
  }
}

/** The media servers in the database, unread. */
export function createMediaServers({
  database,
  authSecrets,
  ...context
}: Pick<ProcessContext, 'database' | 'authSecrets' | 'clock' | 'logger'>): MediaServers {
  return new MediaServers({
    ...context,
    repository: createMediaServersRepository(database),
    secretBox: createSecretBox({ database, authSecrets }, 'media servers'),
  });
}
