import { type ChatPosition, parseChatMessageId, type RoomId } from '@mogakgong/contract';
import { SendError } from '../../shared/realtime/transport.ts';
import type { Unresolved } from './message-list.ts';
import type { StoredOutgoing, UnsentStore } from './unsent-store.ts';

/**
 * A message of this tab that the room's log does not show yet. `queued` waits for the connection,
 * `sent` is confirmed and about to appear, `failed` waits for the learner.
 */
export interface OutgoingMessage extends StoredOutgoing {
  readonly state: 'queued' | 'sending' | 'sent' | 'failed';
  /** The log's id for it, once the server named it. */
  readonly messageId: string | null;
}

/** Those who sit together in the room now. */
export interface Gathering {
  /** Null as long as nobody said anything. */
  readonly epoch: number | null;
}

export interface OutboxOptions {
  readonly roomId: RoomId;
  readonly store: UnsentStore;
  /**
   * Sends one message; answers the id that the log has it under, or null where the server names
   * none. Rejects with SendError.
   */
  readonly send: (message: OutgoingMessage) => Promise<string | null>;
  /** Whether the log is there and goes on: only then is it known among whom a message is said. */
  readonly isOpen: () => boolean;
  /** Null before the log is there. */
  readonly gathering: () => Gathering | null;
  /** The number of the log's last message. */
  readonly lastNumber: () => number;
  readonly onChange: () => void;
  /** Said of a message that waited so long that others may sit in the room now. */
  readonly staleText: string;
  /** Said where the server gave no reason. */
  readonly failedText: string;
  readonly wait?: (ms: number) => Promise<void>;
}

/** A seat is given up after that (design §5): nothing older is sent without asking. */
const STALE_AFTER_MS = 10 * 60_000;
/** The server lets one message through a second (design §9). */
const NEXT_TRY_WAIT_MS = 1_100;
/** Tries on one connection before the learner is asked. */
const TRIES = 8;

const waitFor = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * What the learner wrote and the server has not confirmed: sent one after the other, kept while
 * there is no connection, and sent again under the same id when nobody knows whether it arrived. What
 * was written in another room or gathering is kept beside it, and never sent.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #entries: readonly OutgoingMessage[];
  readonly #confirmedIds = new Set<string>();
  #lastConfirmed: ChatPosition | null = null;
  #isSending = false;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#entries = options.store.loadMessages().map((stored) => ({
      ...stored,
      state: stored.problem === null ? 'queued' : 'failed',
      messageId: null,
    }));
  }

  /** What is to be shown behind the log, oldest first. */
  get waiting(): readonly OutgoingMessage[] {
    return this.#entries.filter((entry) => this.#isHere(entry));
  }

  /** What cannot be sent from here. */
  get elsewhere(): readonly OutgoingMessage[] {
    return this.#entries.filter((entry) => !this.#isHere(entry));
  }

  /** What was sent and may or may not be in the log. */
  get unresolved(): readonly Unresolved[] {
    return this.waiting.flatMap(({ content, state, triedAfter }) =>
      state === 'sent' || triedAfter === null ? [] : [{ content, afterNumber: triedAfter }],
    );
  }

  /** Messages of the log that receipts named: they are nobody else's. */
  get confirmedIds(): ReadonlySet<string> {
    return this.#confirmedIds;
  }

  add(content: string): void {
    const entry: OutgoingMessage = {
      clientId: newClientId(),
      roomId: this.#options.roomId,
      epoch: this.#options.gathering()?.epoch ?? null,
      content,
      writtenAtMs: Date.now(),
      triedAfter: null,
      problem: null,
      state: 'queued',
      messageId: null,
    };
    this.#set([...this.#entries, entry]);
    this.resume();
  }

  /** Sends a failed message again, as one written now. */
  retry(clientId: string): void {
    this.#change(clientId, { state: 'queued', problem: null, writtenAtMs: Date.now() });
    this.resume();
  }

  discard(clientId: string): void {
    this.#set(this.#entries.filter((entry) => entry.clientId !== clientId));
  }

  /** Forgets confirmed messages that the log shows. */
  forgetShown(isShown: (messageId: string) => boolean): void {
    const left = this.#entries.filter(
      ({ state, messageId }) => state !== 'sent' || messageId === null || !isShown(messageId),
    );
    if (left.length < this.#entries.length) this.#set(left);
  }

  /** The gathering is known: what was written here without knowing it belongs to it. */
  adopt(epoch: number): void {
    const isWithout = ({ roomId, epoch: known }: OutgoingMessage) =>
      known === null && roomId === this.#options.roomId;
    if (!this.#entries.some(isWithout)) return;
    this.#set(this.#entries.map((entry) => (isWithout(entry) ? { ...entry, epoch } : entry)));
  }

  /** Sends what waits, as far as that is possible now. */
  resume(): void {
    void this.#sendAll();
  }

  close(): void {
    this.#isClosed = true;
  }

  #isHere({ roomId, epoch }: OutgoingMessage): boolean {
    const gathering = this.#options.gathering();
    if (roomId !== this.#options.roomId) return false;
    return epoch === null || gathering === null || epoch === gathering.epoch;
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      let tries = 0;
      for (;;) {
        const next = this.waiting.find((entry) => entry.state === 'queued');
        if (next === undefined || this.#isClosed || !this.#options.isOpen()) return;
        const outcome = await this.#sendOne(next, tries);
        tries = outcome === 'again' ? tries + 1 : 0;
        // A connection that seems to be there is not asked again and again without a pause.
        if (outcome !== 'done' && this.#options.isOpen()) {
          await (this.#options.wait ?? waitFor)(NEXT_TRY_WAIT_MS);
        }
      }
    } finally {
      this.#isSending = false;
    }
  }

  async #sendOne(entry: OutgoingMessage, tries: number): Promise<'done' | 'again'> {
    const { clientId } = entry;
    if (Date.now() - entry.writtenAtMs > STALE_AFTER_MS) {
      this.#change(clientId, { state: 'failed', problem: this.#options.staleText });
      return 'done';
    }
    const triedAfter = entry.triedAfter ?? this.#lastNumber();
    this.#change(clientId, { state: 'sending', triedAfter });
    try {
      this.#confirm(clientId, await this.#options.send(entry));
      return 'done';
    } catch (error) {
      return this.#takeBack(entry, error, tries < TRIES);
    }
  }

  /** A send was not confirmed: it is tried again, or the learner decides. */
  #takeBack(
    { clientId, triedAfter }: OutgoingMessage,
    error: unknown,
    mayTryAgain: boolean,
  ): 'done' | 'again' {
    if (error instanceof SendError && error.errorName === 'chatSentElsewhere') {
      // An earlier try arrived where it was written for.
      this.discard(clientId);
      return 'done';
    }
    const isLost = !(error instanceof SendError) || error.reason === 'lost';
    // Of a refused one it is known whether it arrived: as far as that was known before it.
    const known = isLost ? {} : { triedAfter };
    const isPassing = error instanceof SendError && (isLost || error.errorName === 'chatTooFast');
    if (isPassing && (mayTryAgain || !this.#options.isOpen())) {
      this.#change(clientId, { state: 'queued', ...known });
      return 'again';
    }
    const reason = error instanceof SendError ? error.message : '';
    const problem = reason === '' ? this.#options.failedText : reason;
    this.#change(clientId, { state: 'failed', problem, ...known });
    return 'done';
  }

  /** Also of a message that is confirmed and not in the log yet. */
  #lastNumber(): number {
    const epoch = this.#options.gathering()?.epoch ?? null;
    const confirmed = this.#lastConfirmed;
    const isOfNow = epoch === null || confirmed?.epoch === epoch;
    return Math.max(this.#options.lastNumber(), isOfNow ? (confirmed?.number ?? 0) : 0);
  }

  #confirm(clientId: string, messageId: string | null): void {
    if (messageId === null) {
      this.discard(clientId);
      return;
    }
    this.#confirmedIds.add(messageId);
    this.#lastConfirmed = parseChatMessageId(messageId);
    this.#change(clientId, { state: 'sent', messageId });
  }

  #change(clientId: string, change: Partial<OutgoingMessage>): void {
    this.#set(
      this.#entries.map((entry) => (entry.clientId === clientId ? { ...entry, ...change } : entry)),
    );
  }

  #set(entries: readonly OutgoingMessage[]): void {
    // The page goes away: what was under way stays stored for the next one.
    if (this.#isClosed) return;
    this.#entries = entries;
    this.#options.store.saveMessages(
      entries
        .filter((entry) => entry.state !== 'sent')
        .map(({ state: _state, messageId: _messageId, ...stored }) => stored),
    );
    this.#options.onChange();
  }
}

/** `randomUUID` exists on secure pages only; a school's http address is none. */
function newClientId(): string {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
