import {
  CHAT_MESSAGE_MAX_LENGTH,
  type ChatQuote,
  chatContent,
  destinations,
  getChatHistory,
  type ReactionChange,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { call, messageOf } from '../../shared/api/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import type { RealtimeTransport } from '../../shared/realtime/realtime-connection.ts';
import { resendWaitMs, SendError } from '../../shared/realtime/send-error.ts';
import { type ChatLog, LiveLog } from './chat-log.ts';
import {
  type Outbox,
  type OutboxEvent,
  type OutgoingMessage,
  openOutbox,
  outboxAfter,
  storedOf,
  UnsentStore,
  type UnsentText,
  unsentTextOf,
  withoutUnresolved,
} from './outbox.ts';

/** `messages` excludes own ones that are still in `outgoing`. */
export interface ChatState extends ChatLog {
  /** The learner's messages that the log does not contain yet. */
  readonly outgoing: readonly OutgoingMessage[];
  /** The learner's texts for another room or gathering, which cannot be sent from here. */
  readonly leftovers: readonly UnsentText[];
  readonly isLoadingOlder: boolean;
  /** The server fails to store messages; they are sent again. */
  readonly isHeldUp: boolean;
  /** Why the last load of older messages failed. */
  readonly olderFailure: string | null;
}

export interface ChatRoomOptions {
  readonly roomId: RoomId;
  readonly userId: UserId;
  readonly transport: RealtimeTransport;
  /** Loads older messages; from the API by default. */
  readonly fetchOlder?: typeof fetchOlderByApi;
  /** Stores unsent texts; the learner's store by default. */
  readonly store?: UnsentStore;
}

/** An older message is not sent without asking: a seat is given up after this time (design §5). */
const STALE_AFTER_MS = 10 * 60_000;
/** The server accepts one message a second (design §9). */
const NEXT_TRY_WAIT_MS = 1_100;
/** Tries on one connection before the learner decides, unless the server says that it is unavailable. */
const TRIES = 8;

function fetchOlderByApi(before: string) {
  return call(getChatHistory, { query: { before } }, { fallback: translate('chat.olderFailed') });
}

/**
 * One learner's view of a room's chat: the log in order, without gaps or repeats, and their own messages.
 * Unconfirmed messages are sent one after the other, kept without a connection, and sent again under the same
 * id while it is unknown whether they arrived; a message for another room or gathering is never sent
 * (decision 015). Independent of any framework.
 */
export class ChatRoom {
  readonly store: StoreApi<ChatState>;
  /** The draft and the message that it answers; a separate store, so that typing does not redraw the log. */
  readonly draft = createStore<{ readonly text: string; readonly quote: ChatQuote | null }>(() => ({
    text: '',
    quote: null,
  }));
  readonly roomId: RoomId;
  readonly userId: UserId;
  readonly transport: RealtimeTransport;
  isClosed = false;
  /** Takes the reactions to older messages. */
  onOlderReactions: (changes: readonly ReactionChange[]) => void = () => {};
  readonly #options: Required<ChatRoomOptions>;
  readonly #log: LiveLog;
  #outbox: Outbox;
  #draftsElsewhere: readonly UnsentText[];
  #isSending = false;

  constructor(options: ChatRoomOptions) {
    const store = options.store ?? new UnsentStore(options.userId);
    this.#options = { fetchOlder: fetchOlderByApi, ...options, store };
    const { roomId, userId, transport } = options;
    this.roomId = roomId;
    this.userId = userId;
    this.transport = transport;
    const drafts = store.drafts();
    this.#draftsElsewhere = drafts.filter((draft) => draft.roomId !== roomId);
    this.draft.setState({ text: drafts.find((draft) => draft.roomId === roomId)?.text ?? '' });
    this.#outbox = openOutbox(store.messages());
    this.#log = new LiveLog({ roomId, transport, onChange: (is) => this.#logChanged(is) });
    this.store = createStore(() => ({
      ...this.#log.current,
      outgoing: [],
      leftovers: [],
      isLoadingOlder: false,
      isHeldUp: false,
      olderFailure: null,
    }));
    this.#show();
    this.#log.open();
  }

  /**
   * Sends a text, now or once connected (specification §5: trimmed), as the answer to the draft's quote.
   * @returns false for a text that is empty or too long.
   */
  write(text: string): boolean {
    const content = chatContent(text);
    if (content === null || [...content].length > CHAT_MESSAGE_MAX_LENGTH) return false;
    const { quote } = this.draft.getState();
    this.setQuote(null);
    const message = {
      clientId: crypto.randomUUID(),
      roomId: this.roomId,
      epoch: this.#log.current.epoch,
      content,
      ...(quote && { quote }),
      writtenAtMs: Date.now(),
      triedAfter: null,
      problem: null,
    };
    this.#dispatch({ type: 'written', message });
    if (this.transport.store.getState().state !== 'connected') {
      // biome-ignore lint/suspicious/noConsole: specification §4 wants it in the log as well
      console.error('chat: not connected, the message waits');
    }
    void this.#sendWaiting();
    return true;
  }

  /** Keeps the draft, also when the page ends. */
  setDraft(text: string): void {
    this.#options.store.saveDraft(this.roomId, text);
    this.draft.setState({ text });
  }

  /** Chooses the message that the draft answers; null: none. */
  setQuote(quote: ChatQuote | null): void {
    this.draft.setState({ quote });
  }

  /** Sends a failed message again, as a new one. */
  retry(clientId: string): void {
    this.#dispatch({ type: 'retried', clientId, nowMs: Date.now() });
    void this.#sendWaiting();
  }

  discard(clientId: string): void {
    this.#dispatch({ type: 'discarded', clientId });
  }

  discardLeftover(leftover: UnsentText): void {
    this.#options.store.discard(leftover);
    this.#draftsElsewhere = this.#draftsElsewhere.filter((draft) => draft !== leftover);
    this.discard(leftover.key);
  }

  /** Up to a message that the learner has read in another tab; without one, all of them. */
  markRead(messageId?: string): void {
    this.#log.markRead(messageId);
  }

  /** Loads a page of older messages, as far as the list has room for them. */
  async loadOlder(): Promise<void> {
    const [oldest] = this.#log.current.messages;
    const { hasOlder, isLoadingOlder } = this.store.getState();
    if (!hasOlder || isLoadingOlder || oldest === undefined) return;
    this.store.setState({ isLoadingOlder: true });
    let olderFailure: string | null = null;
    try {
      const page = await this.#options.fetchOlder(oldest.id);
      this.#log.addOlder(oldest.id, page);
      this.onOlderReactions(page.reactions ?? []);
    } catch (error) {
      olderFailure = messageOf(error);
    }
    this.store.setState({ isLoadingOlder: false, olderFailure });
  }

  close(): void {
    this.isClosed = true;
    this.#log.close();
  }

  #logChanged(isRecovered: boolean): void {
    if (isRecovered) this.store.setState({ olderFailure: null });
    this.#show();
    if (isRecovered) void this.#sendWaiting();
  }

  /** Sends waiting messages while the gathering is known and there is a connection. */
  async #sendWaiting(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      let tries = 0;
      while (this.#isOpen()) {
        const next = this.store.getState().outgoing.find(({ state }) => state === 'queued');
        if (next === undefined) return;
        const waitMs = await this.#sendOne(next, tries);
        tries = waitMs === null ? 0 : tries + 1;
        // Pauses between tries on a connection that seems to work.
        if (waitMs !== null && this.#isOpen()) {
          await new Promise((resolve) => setTimeout(resolve, waitMs));
        }
      }
    } finally {
      this.store.setState({ isHeldUp: false });
      this.#isSending = false;
    }
  }

  #isOpen(): boolean {
    const isConnected = this.transport.store.getState().state === 'connected';
    return isConnected && this.#log.isComplete && !this.isClosed;
  }

  /** The delay before the next try, in ms; null when the message is done. */
  async #sendOne(entry: OutgoingMessage, tries: number): Promise<number | null> {
    const { clientId, content, quote, writtenAtMs, triedAfter } = entry;
    if (Date.now() - writtenAtMs > STALE_AFTER_MS) {
      this.#dispatch({ type: 'stopped', clientId, problem: translate('chat.stale') });
      return null;
    }
    this.#dispatch({ type: 'sending', clientId, triedAfter: triedAfter ?? this.#lastNumber() });
    const timestamp = new Date(writtenAtMs).toISOString();
    const { userId: senderId, roomId } = this;
    const body = { senderId, roomId, content, timestamp, quotedId: quote?.id };
    try {
      const receipt = await this.transport.send(destinations.sendChat, body, {
        'client-id': clientId,
      });
      this.store.setState({ isHeldUp: false });
      this.#dispatch({ type: 'confirmed', clientId, messageId: receipt['message-id'] ?? null });
      return null;
    } catch (error) {
      const isUnavailable = error instanceof SendError && error.errorName === 'unavailable';
      const isHeldUp = error instanceof SendError && error.reason === 'unavailable';
      const mayTryAgain = isUnavailable || tries < TRIES || !this.#isOpen();
      this.store.setState({ isHeldUp });
      this.#dispatch({ type: 'failed', entry, error, mayTryAgain });
      const left = this.#outbox.entries.find((each) => each.clientId === clientId);
      if (left?.state !== 'queued') return null;
      return isHeldUp ? resendWaitMs(tries, error) : NEXT_TRY_WAIT_MS;
    }
  }

  /** Includes a message that is confirmed but not in the log yet. */
  #lastNumber(): number {
    const { epoch, messages } = this.#log.current;
    const confirmed = this.#outbox.lastConfirmed;
    const isOfNow = epoch === null || confirmed?.epoch === epoch;
    return Math.max(messages.at(-1)?.number ?? 0, isOfNow ? (confirmed?.number ?? 0) : 0);
  }

  #dispatch(event: OutboxEvent): void {
    this.#change(event);
    this.#show();
  }

  /** Applies an event to the outbox, and stores the result. */
  #change(event: OutboxEvent): void {
    // The page ends: a message being sent stays stored for the next one.
    if (this.isClosed) return;
    const before = this.#outbox;
    this.#outbox = outboxAfter(before, event);
    if (this.#outbox !== before) this.#options.store.saveMessages(storedOf(this.#outbox));
  }

  #show(): void {
    const log = this.#log.current;
    this.#change({ type: 'logged', roomId: this.roomId, log });
    const { entries, confirmedIds } = this.#outbox;
    const outgoing = entries.filter((entry) => this.#isHere(entry));
    const elsewhere = entries.filter((entry) => !this.#isHere(entry)).map(unsentTextOf);
    this.store.setState({
      ...log,
      messages: withoutUnresolved(log.messages, this.userId, outgoing, confirmedIds),
      outgoing,
      leftovers: [...elsewhere, ...this.#draftsElsewhere],
    });
  }

  #isHere({ roomId, epoch }: OutgoingMessage): boolean {
    if (roomId !== this.roomId) return false;
    const log = this.#log.current;
    return epoch === null || !log.hasLoaded || epoch === log.epoch;
  }
}
