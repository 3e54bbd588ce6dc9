import {
  CHAT_PAGE_SIZE,
  type ChatMessage,
  type ChatPosition,
  type ChatRecovery,
  parseChatMessageId,
} from '@mogakgong/contract';
import type { Gathering, StoredMessage } from './chat.repository.ts';

interface RoomLogParts {
  readonly gathering: Gathering;
  /** Sends to everybody who receives this room here. */
  readonly publish: (message: ChatMessage) => void;
  readonly loadLatest: (gathering: Gathering) => Promise<readonly StoredMessage[]>;
  /** The messages behind a position, oldest first, at most `limit`: for what did not come here. */
  readonly loadSince: (position: ChatPosition, limit: number) => Promise<readonly StoredMessage[]>;
  /** The same, at least `REPLAY_MAX`, for those who come back, who may be thousands at once. */
  readonly loadMissed: (position: ChatPosition) => Promise<readonly StoredMessage[]>;
  readonly onFailure: (error: unknown) => void;
}

/** How long a message may be overtaken by later ones before it is fetched from the database. */
const OVERTAKEN_MS = 50;
/** A failed fetch is tried again. */
const RETRY_MS = 1_000;
/** Missed messages that are replayed; whoever missed more gets a fresh page. */
export const REPLAY_MAX = 200;
/** Bytes of one recovery: well below what may wait for a slow reader. */
const RECOVERY_MAX_BYTES = 96 * 1024;

/**
 * One gathering's messages on their way to its subscribers here: in the order of their numbers,
 * each once, without a hole. Whatever the backplane loses, repeats or reorders is made up for from
 * the database.
 */
export class RoomLog {
  readonly #parts: RoomLogParts;
  readonly #early = new Map<number, StoredMessage>();
  /** The newest messages that went out, oldest first. */
  #recent: StoredMessage[] = [];
  /** The number of the last message that went out. */
  #number = 0;
  #isLoaded = false;
  #ready: Promise<void> | undefined;
  #repair: NodeJS.Timeout | undefined;
  #filling: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: RoomLogParts) {
    this.#parts = parts;
  }

  get gathering(): Gathering {
    return this.#parts.gathering;
  }

  /** Resolves when the newest page is known. A failure is told to all who wait, then tried anew. */
  ready(): Promise<void> {
    this.#ready ??= this.#load().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** Takes messages that some process stored. */
  receive(messages: readonly StoredMessage[]): void {
    for (const message of messages) {
      if (message.number > this.#number) this.#early.set(message.number, message);
    }
    if (this.#isLoaded) this.#advance();
  }

  /** Learns from the database how far the gathering is; fetches what did not come. */
  noteLastNumber(number: number): void {
    if (this.#isLoaded && number > this.#number) void this.#fill();
  }

  /**
   * Gives what a subscriber who had `lastId` missed, or a fresh page. `take` runs in the same turn
   * in which that is known to be everything: what goes out after it continues exactly there.
   */
  async giveRecovery(lastId: string, take: (recovery: ChatRecovery) => void): Promise<void> {
    const position = parseChatMessageId(lastId);
    const missed = position && (await this.#missedSince(position));
    const page = fitting(missed ?? this.#recent.slice(-CHAT_PAGE_SIZE));
    take({
      kind: 'recovery',
      recovered: missed !== null && page.length === missed.length,
      messages: page.map(({ message }) => message),
      hasOlder: (page[0]?.number ?? this.#number + 1) > 1,
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#repair);
    this.#early.clear();
  }

  async #load(): Promise<void> {
    const latest = await this.#parts.loadLatest(this.gathering);
    this.#recent = [...latest];
    this.#number = latest.at(-1)?.number ?? 0;
    this.#isLoaded = true;
    this.#advance();
  }

  /** Null when it cannot be said or is too much. */
  async #missedSince(position: ChatPosition): Promise<StoredMessage[] | null> {
    const { roomId, epoch } = this.gathering;
    if (position.roomId !== roomId || position.epoch !== epoch) return null;
    await this.#catchUpWith(position.number);
    if (position.number > this.#number) return null;
    if (this.#number - position.number > REPLAY_MAX) return null;
    if (position.number >= this.#firstKnown - 1) return this.#recentSince(position.number);
    const loaded = await this.#parts.loadMissed(position);
    // What went out meanwhile is known here and goes on exactly where the loaded ends.
    const last = loaded.at(-1)?.number ?? position.number;
    if (last < this.#firstKnown - 1) return null;
    const before = loaded.filter(({ number }) => number < this.#firstKnown);
    return [...before, ...this.#recentSince(position.number)];
  }

  /** A subscriber who comes from another process may have more than came here until now. */
  async #catchUpWith(number: number): Promise<void> {
    let before = -1;
    while (number > this.#number && this.#number > before) {
      before = this.#number;
      await this.#fill();
    }
  }

  /** The number of the oldest message that is known without the database. */
  get #firstKnown(): number {
    return this.#recent[0]?.number ?? this.#number + 1;
  }

  #recentSince(number: number): StoredMessage[] {
    return this.#recent.filter((message) => message.number > number);
  }

  #advance(): void {
    for (;;) {
      const next = this.#early.get(this.#number + 1);
      if (!next) break;
      this.#early.delete(next.number);
      this.#deliver(next);
    }
    for (const number of this.#early.keys()) {
      if (number <= this.#number) this.#early.delete(number);
    }
    clearTimeout(this.#repair);
    if (this.#early.size > 0) this.#fillAfter(OVERTAKEN_MS);
  }

  #deliver(stored: StoredMessage): void {
    this.#number = stored.number;
    this.#recent.push(stored);
    if (this.#recent.length > 2 * REPLAY_MAX) this.#recent = this.#recent.slice(-REPLAY_MAX);
    this.#parts.publish(stored.message);
  }

  #fillAfter(ms: number): void {
    if (this.#isClosed) return;
    this.#repair = setTimeout(() => void this.#fill(), ms);
    this.#repair.unref();
  }

  /** Fetches what did not come; all who ask meanwhile wait for the same answer. */
  #fill(): Promise<void> {
    this.#filling ??= this.#fetchMissing();
    return this.#filling;
  }

  async #fetchMissing(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const position = { ...this.gathering, number: this.#number };
      const missing = await this.#parts.loadSince(position, REPLAY_MAX);
      this.#filling = undefined;
      if (this.#isClosed) return;
      // Numbers are committed in their order: what is not there between is gone for good.
      const first = missing[0]?.number ?? 0;
      if (first > this.#number + 1) this.#number = first - 1;
      this.receive(missing);
    } catch (error) {
      this.#filling = undefined;
      this.#parts.onFailure(error);
      this.#fillAfter(RETRY_MS);
    }
  }
}

/** As many of the newest messages as fit into one recovery. */
function fitting(messages: readonly StoredMessage[]): StoredMessage[] {
  let bytes = 0;
  const first = messages.findLastIndex(({ message }) => {
    bytes += Buffer.byteLength(JSON.stringify(message)) + 1;
    return bytes > RECOVERY_MAX_BYTES;
  });
  return messages.slice(first + 1);
}
