import {
  CHAT_PAGE_SIZE,
  type ChatMessage,
  type ChatPosition,
  type ChatRecovery,
  parseChatMessageId,
  type UserId,
} from '@mogakgong/contract';
import { type Gathering, NumberedLog } from '../realtime/index.ts';
import { goneQuote, type StoredMessage } from './chat.repository.ts';

interface RoomLogParts {
  readonly gathering: Gathering;
  /** Sends to all subscribers of this room here. */
  readonly publish: (message: ChatMessage) => void;
  readonly loadLatest: (gathering: Gathering) => Promise<readonly StoredMessage[]>;
  /** The messages after a position, oldest first, at most `limit`: for missing events. */
  readonly loadSince: (position: ChatPosition, limit: number) => Promise<readonly StoredMessage[]>;
  /** The same, at least `REPLAY_MAX`, for returning learners, possibly thousands at once. */
  readonly loadMissed: (position: ChatPosition) => Promise<readonly StoredMessage[]>;
  readonly onFailure: (error: unknown) => void;
}

/** How long a message may be overtaken by later ones before it is read from the database. */
const OVERTAKEN_MS = 50;
/** Maximum number of missed messages that are replayed; beyond it a learner gets a fresh page. */
export const REPLAY_MAX = 200;
/** Bytes of one recovery or page of history: well below the buffer of a slow reader. */
const RECOVERY_MAX_BYTES = 96 * 1024;

/**
 * One gathering's messages: a numbered log that is filled from the database, and keeps enough for returning
 * learners.
 */
export class RoomLog {
  readonly #parts: RoomLogParts;
  readonly #log: NumberedLog<StoredMessage>;
  /** The newest delivered messages, oldest first. */
  #recent: StoredMessage[] = [];
  #ready: Promise<void> | undefined;

  constructor(parts: RoomLogParts) {
    this.#parts = parts;
    this.#log = new NumberedLog({
      deliver: (stored) => this.#deliver(stored),
      fill: () => this.#fetchMissing(),
      overtakenMs: OVERTAKEN_MS,
      onFailure: parts.onFailure,
    });
  }

  /** Resolves when the newest page is known. A failure rejects all waiting calls; the next caller retries. */
  ready(): Promise<void> {
    this.#ready ??= this.#load().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** Takes messages stored by any process; those of another gathering are ignored. */
  receive(messages: readonly StoredMessage[]): void {
    this.#log.receive(messages.filter(({ epoch }) => epoch === this.#parts.gathering.epoch));
  }

  /** The learners whose words are replayed to returning learners. */
  get senders(): UserId[] {
    return this.#recent.flatMap(({ message: { senderId, quote } }) =>
      quote && !quote.hidden ? [senderId, quote.senderId] : [senderId],
    );
  }

  /** Removes messages of before a moment (ISO 8601) from those replayed to returning learners. */
  forgetBefore(moment: string): void {
    this.#recent = this.#recent.filter(({ message }) => message.timestamp >= moment);
  }

  /** Removes the messages of a sender, also quoted ones, from those replayed to returning learners. */
  hideSender(userId: UserId): void {
    this.#recent = this.#recent
      .filter(({ message }) => message.senderId !== userId)
      .map((stored) => {
        const { quote } = stored.message;
        if (quote?.senderId !== userId) return stored;
        return { ...stored, message: { ...stored.message, quote: goneQuote(quote.id) } };
      });
  }

  expectUpTo(number: number): void {
    this.#log.expectUpTo(number);
  }

  close(): void {
    this.#log.close();
  }

  /**
   * Passes the messages missed by a subscriber with `lastId`, or a fresh page, to `take`. `take` runs in the
   * same turn in which they are known to be complete: later deliveries continue exactly there.
   */
  async giveRecovery(lastId: string, take: (recovery: ChatRecovery) => void): Promise<void> {
    const position = parseChatMessageId(lastId);
    const missed = position && (await this.#missedSince(position));
    const page = fitting(missed ?? this.#recent.slice(-CHAT_PAGE_SIZE));
    take({
      kind: 'recovery',
      recovered: missed !== null && page.length === missed.length,
      messages: page.map(({ message }) => message),
      hasOlder: (page[0]?.number ?? this.#log.number + 1) > 1,
    });
  }

  async #load(): Promise<void> {
    const latest = await this.#parts.loadLatest(this.#parts.gathering);
    this.#recent = [...latest];
    this.#log.moveTo(latest.at(-1)?.number ?? 0);
    this.#log.advance();
  }

  /** Null if they are unknown or too many. */
  async #missedSince(position: ChatPosition): Promise<StoredMessage[] | null> {
    const { roomId, epoch } = this.#parts.gathering;
    if (position.roomId !== roomId || position.epoch !== epoch) return null;
    await this.#catchUpWith(position.number);
    if (position.number > this.#log.number) return null;
    if (this.#log.number - position.number > REPLAY_MAX) return null;
    if (position.number >= this.#firstKnown - 1) return this.#recentSince(position.number);
    const loaded = await this.#parts.loadMissed(position);
    // Messages delivered meanwhile are in `#recent`, which continues the loaded ones.
    const last = loaded.at(-1)?.number ?? position.number;
    if (last < this.#firstKnown - 1) return null;
    const before = loaded.filter(({ number }) => number < this.#firstKnown);
    return [...before, ...this.#recentSince(position.number)];
  }

  /** A subscriber coming from another process may have more than has arrived here. */
  async #catchUpWith(number: number): Promise<void> {
    let before = -1;
    while (number > this.#log.number && this.#log.number > before) {
      before = this.#log.number;
      await this.#log.fill();
    }
  }

  /** The number of the oldest message in memory. */
  get #firstKnown(): number {
    return this.#recent[0]?.number ?? this.#log.number + 1;
  }

  #recentSince(number: number): StoredMessage[] {
    return this.#recent.filter((message) => message.number > number);
  }

  #deliver(stored: StoredMessage): void {
    this.#recent.push(stored);
    if (this.#recent.length > 2 * REPLAY_MAX) this.#recent = this.#recent.slice(-REPLAY_MAX);
    this.#parts.publish(stored.message);
  }

  async #fetchMissing(): Promise<void> {
    const position = { ...this.#parts.gathering, number: this.#log.number };
    const missing = await this.#parts.loadSince(position, REPLAY_MAX);
    const [first] = missing;
    // Numbers are committed in order: a gap between stored messages is final.
    if (first) this.#log.moveTo(first.number - 1);
    this.#log.receive(missing);
  }
}

/** As many of the newest messages as fit into one reply. */
export function fitting(messages: readonly StoredMessage[]): StoredMessage[] {
  let bytes = 0;
  const first = messages.findLastIndex(({ message }) => {
    bytes += Buffer.byteLength(JSON.stringify(message)) + 1;
    return bytes > RECOVERY_MAX_BYTES;
  });
  return messages.slice(first + 1);
}
