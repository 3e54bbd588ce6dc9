import {
  CHAT_LIST_MAX,
  CHAT_MESSAGE_MAX_LENGTH,
  ChatMessage,
  ChatRecovery,
  chatContent,
  destinations,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import type { OpenListening, RealtimeTransport } from '../../shared/realtime/transport.ts';
import { mergeMessages, numberOf, positionOf } from './message-list.ts';
import { Outbox, type OutgoingMessage } from './outbox.ts';
import type { OutgoingStore } from './outgoing-store.ts';

export interface ChatSnapshot {
  /** The room's log, oldest first: at most `CHAT_LIST_MAX`. */
  readonly messages: readonly ChatMessage[];
  /** What this learner wrote and the log does not show yet. */
  readonly outgoing: readonly OutgoingMessage[];
  /** The log is here, even if it is empty. */
  readonly hasLoaded: boolean;
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  /** Messages before this one may be missing, until older ones are loaded. */
  readonly gapBeforeId: string | null;
  /** Number of the last message that the learner has seen. */
  readonly readNumber: number;
}

export interface ChatRoomOptions {
  readonly roomId: RoomId;
  readonly userId: UserId;
  readonly transport: RealtimeTransport;
  readonly store: OutgoingStore;
  readonly fetchOlder: (
    beforeId: string,
  ) => Promise<{ readonly messages: readonly ChatMessage[]; readonly hasOlder: boolean }>;
  readonly texts: { readonly stale: string; readonly failed: string };
  /** For tests: how the outbox waits when the server asks to slow down, in ms. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** What became of a text that was to be sent. */
export type Writing = 'taken' | 'empty' | 'tooLong';

/**
 * The chat of one room as one learner has it: the log in its order, without holes or repeats, and
 * what they wrote. Knows no framework; `subscribe` and `getSnapshot` fit `useSyncExternalStore`.
 */
export class ChatRoom {
  readonly #options: ChatRoomOptions;
  readonly #listeners = new Set<() => void>();
  readonly #outbox: Outbox;
  readonly #listening: OpenListening;
  #snapshot: ChatSnapshot = {
    messages: [],
    outgoing: [],
    hasLoaded: false,
    hasOlder: false,
    isLoadingOlder: false,
    gapBeforeId: null,
    readNumber: 0,
  };
  /** A message is missing and was asked for. */
  #isRenewing = false;

  constructor(options: ChatRoomOptions) {
    this.#options = options;
    const { transport, store, texts, wait } = options;
    this.#outbox = new Outbox({
      transport,
      store,
      send: (message) => this.#send(message),
      onChange: () => this.#update({ outgoing: this.#outbox.waiting }),
      staleText: texts.stale,
      failedText: texts.failed,
      ...(wait !== undefined && { wait }),
    });
    this.#snapshot = { ...this.#snapshot, outgoing: this.#outbox.waiting };
    this.#listening = transport.listen({
      destination: destinations.messages,
      headers: () => ({ 'last-id': this.#snapshot.messages.at(-1)?.id ?? '' }),
      onMessage: (body, headers) => this.#receive(body, headers),
    });
    this.#outbox.start();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): ChatSnapshot => this.#snapshot;

  /** Sends a text, now or when there is a connection again (specification §5: trimmed, not empty). */
  write(text: string): Writing {
    const content = chatContent(text);
    if (content === null) return 'empty';
    if ([...content].length > CHAT_MESSAGE_MAX_LENGTH) return 'tooLong';
    this.#outbox.add(content);
    return 'taken';
  }

  retry(clientId: string): void {
    this.#outbox.retry(clientId);
  }

  discard(clientId: string): void {
    this.#outbox.discard(clientId);
  }

  /** Everything that is here has been seen. */
  markRead(): void {
    const readNumber = numberOf(this.#snapshot.messages.at(-1));
    if (readNumber !== this.#snapshot.readNumber) this.#update({ readNumber });
  }

  /** Loads a page of older messages, as far as the list has room for them. Rejects with ApiError. */
  async loadOlder(): Promise<void> {
    const { messages, hasOlder, isLoadingOlder } = this.#snapshot;
    const [oldest] = messages;
    if (!hasOlder || isLoadingOlder || oldest === undefined) return;
    this.#update({ isLoadingOlder: true });
    try {
      const page = await this.#options.fetchOlder(oldest.id);
      const isSameLog = this.#snapshot.messages[0]?.id === oldest.id;
      if (isSameLog) this.#prepend(page.messages, page.hasOlder);
    } finally {
      this.#update({ isLoadingOlder: false });
    }
  }

  close(): void {
    this.#listening.close();
    this.#outbox.close();
    this.#listeners.clear();
  }

  #send({ clientId, content, writtenAtMs }: OutgoingMessage): Promise<void> {
    const { transport, userId, roomId } = this.#options;
    const timestamp = new Date(writtenAtMs).toISOString();
    return transport.send(
      destinations.sendChat,
      { senderId: userId, roomId, content, timestamp },
      { 'client-id': clientId },
    );
  }

  #receive(body: unknown, headers: Readonly<Record<string, string>>): void {
    if (headers.kind === 'recovery') {
      const recovery = ChatRecovery.safeParse(body);
      if (recovery.success) this.#recover(recovery.data);
      return;
    }
    const message = ChatMessage.safeParse(body);
    if (message.success) this.#take(message.data);
  }

  #recover({ recovered, messages: page, hasOlder }: ChatRecovery): void {
    if (page.some(({ roomId }) => roomId !== this.#options.roomId)) return;
    this.#isRenewing = false;
    const before = this.#snapshot;
    const fresh = page.filter(({ id }) => !before.messages.some((known) => known.id === id));
    const messages = recovered ? mergeMessages(before.messages, page) : page;
    const isKept = recovered && before.messages.length > 0;
    const last = positionOf(before.messages.at(-1));
    const first = positionOf(page[0]);
    const isSameGathering = last !== null && first?.epoch === last.epoch;
    const isHole = !recovered && isSameGathering && first.number > last.number + 1;
    this.#update({
      messages,
      hasLoaded: true,
      hasOlder: isKept ? before.hasOlder : hasOlder,
      gapBeforeId: isKept ? before.gapBeforeId : isHole ? (page[0]?.id ?? null) : null,
      // What was said before one came is not unread.
      readNumber: isKept || isSameGathering ? before.readNumber : numberOf(page.at(-1)),
    });
    this.#noteOwn(fresh);
    this.#outbox.forgetSent();
  }

  #take(message: ChatMessage): void {
    const position = positionOf(message);
    if (position?.roomId !== this.#options.roomId || !this.#snapshot.hasLoaded) return;
    const last = positionOf(this.#snapshot.messages.at(-1));
    const isNext = last === null || position.number === last.number + 1;
    const isSameGathering = last === null || position.epoch === last.epoch;
    if (!isSameGathering || (!isNext && position.number > (last?.number ?? 0))) {
      this.#fillHole();
      return;
    }
    if (!isNext) return;
    this.#update({ messages: mergeMessages(this.#snapshot.messages, [message]) });
    this.#noteOwn([message]);
  }

  /** Asks once for what is missing behind the last message. */
  #fillHole(): void {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    this.#listening.renew();
  }

  #noteOwn(messages: readonly ChatMessage[]): void {
    for (const { senderId, content } of messages) {
      if (senderId === this.#options.userId) this.#outbox.noteShown(content);
    }
  }

  #prepend(page: readonly ChatMessage[], hasOlder: boolean): void {
    const { messages } = this.#snapshot;
    const room = CHAT_LIST_MAX - messages.length;
    const fitting = room > 0 ? page.slice(-room) : [];
    this.#update({
      messages: mergeMessages(fitting, messages),
      hasOlder: hasOlder && page.length < room,
      gapBeforeId: null,
    });
  }

  #update(change: Partial<ChatSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}
