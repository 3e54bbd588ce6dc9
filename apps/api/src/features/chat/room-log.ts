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
  readonly loadSince: (position: ChatPosition, limit: number) => Promise<readonly StoredMessage[]>;
  readonly onFailure: (error: unknown) => void;
}

/** How long a message may be overtaken by later ones before it is fetched from the database. */
const OVERTAKEN_MS = 50;
/** A failed fetch is tried again. */
const RETRY_MS = 1_000;
/** Missed messages that are replayed; whoever missed more gets a fresh page. */
const REPLAY_MAX = 200;
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
  #isFilling = false;
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
    for (;;) {
      const number = this.#number;
      const missed = await this.#missedSince(position);
      if (number !== this.#number) continue;
      const page = fitting(missed ?? this.#recent.slice(-CHAT_PAGE_SIZE));
      take({
        kind: 'recovery',
        recovered: missed !== null && page.length === missed.length,
        messages: page.map(({ message }) => message),
        hasOlder: (page[0]?.number ?? number + 1) > 1,
      });
      return;
    }
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
  async #missedSince(position: ChatPosition | null): Promise<StoredMessage[] | null> {
    const { roomId, epoch } = this.gathering;
    const isHere = position?.roomId === roomId && position.epoch === epoch;
    if (!isHere || position.number > this.#number) return null;
    if (this.#number - position.number > REPLAY_MAX) return null;
    const firstKnown = this.#recent[0]?.number ?? this.#number + 1;
    if (position.number >= firstKnown - 1) {
      return this.#recent.filter((message) => message.number > position.number);
    }
    return [...(await this.#parts.loadSince(position, REPLAY_MAX + CHAT_PAGE_SIZE))].filter(
      (message) => message.number <= this.#number,
    );
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

  async #fill(): Promise<void> {
    if (this.#isFilling || this.#isClosed) return;
    this.#isFilling = true;
    try {
      const position = { ...this.gathering, number: this.#number };
      const missing = await this.#parts.loadSince(position, REPLAY_MAX);
      this.#isFilling = false;
      if (this.#isClosed) return;
      // Numbers are committed in their order: what is not there between is gone for good.
      const first = missing[0]?.number ?? 0;
      if (first > this.#number + 1) this.#number = first - 1;
      this.receive(missing);
    } catch (error) {
      this.#isFilling = false;
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
