import {
  CHAT_LIST_MAX,
  CHAT_MESSAGE_MAX_LENGTH,
  ChatMessage,
  ChatRecovery,
  chatContent,
  destinations,
  parseChatMessageId,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import type { OpenListening, RealtimeTransport } from '../../shared/realtime/transport.ts';
import { mergeMessages, numberOf, positionOf, withoutUnresolved } from './message-list.ts';
import { type Gathering, Outbox, type OutgoingMessage } from './outbox.ts';
import type { UnsentStore, UnsentText } from './unsent-store.ts';

export interface ChatSnapshot {
  /**
   * The room's log, oldest first: at most `CHAT_LIST_MAX`. Without own messages that are still
   * among `outgoing`.
   */
  readonly messages: readonly ChatMessage[];
  /** What this learner wrote and the log does not show yet. */
  readonly outgoing: readonly OutgoingMessage[];
  /** What they wrote for another room or gathering: it cannot be sent from here. */
  readonly leftovers: readonly UnsentText[];
  /** What they are writing. */
  readonly draft: string;
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
  readonly store: UnsentStore;
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
  readonly #stopFollowing: () => void;
  /** The log as the server gave it. */
  #log: readonly ChatMessage[] = [];
  #snapshot: ChatSnapshot = {
    messages: [],
    outgoing: [],
    leftovers: [],
    draft: '',
    hasLoaded: false,
    hasOlder: false,
    isLoadingOlder: false,
    gapBeforeId: null,
    readNumber: 0,
  };
  /** A message is missing and was asked for. */
  #isRenewing = false;
  /** The log goes on from where it is: false from a lost connection to the answer after it. */
  #isCurrent = false;
  #gathering: Gathering | null = null;
  #draftsElsewhere: readonly UnsentText[];

  constructor(options: ChatRoomOptions) {
    this.#options = options;
    const { roomId, transport, store, texts, wait } = options;
    this.#draftsElsewhere = store.draftsElsewhere(roomId);
    this.#outbox = new Outbox({
      roomId,
      store,
      send: (message) => this.#send(message),
      isOpen: () => this.#isCurrent && transport.getState() === 'connected',
      gathering: () => this.#gathering,
      lastNumber: () => numberOf(this.#log.at(-1)),
      onChange: () => this.#update({}),
      staleText: texts.stale,
      failedText: texts.failed,
      ...(wait !== undefined && { wait }),
    });
    this.#update({ draft: store.loadDraft(roomId) });
    this.#listening = transport.listen({
      destination: destinations.messages,
      headers: () => ({ 'last-id': this.#log.at(-1)?.id ?? '' }),
      onMessage: (body, headers) => this.#receive(body, headers),
    });
    this.#stopFollowing = transport.onState(() => {
      if (transport.getState() !== 'connected') this.#isCurrent = false;
    });
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

  /** Keeps what is being written, over whatever ends this page. */
  setDraft(draft: string): void {
    this.#options.store.saveDraft(this.#options.roomId, draft);
    this.#update({ draft });
  }

  retry(clientId: string): void {
    this.#outbox.retry(clientId);
  }

  discard(clientId: string): void {
    this.#outbox.discard(clientId);
  }

  discardLeftover({ key, roomId }: UnsentText): void {
    if (this.#outbox.elsewhere.some(({ clientId }) => clientId === key)) {
      this.#outbox.discard(key);
      return;
    }
    this.#options.store.saveDraft(roomId, '');
    this.#draftsElsewhere = this.#draftsElsewhere.filter((draft) => draft.key !== key);
    this.#update({});
  }

  /** Everything that is here has been seen. */
  markRead(): void {
    const readNumber = numberOf(this.#log.at(-1));
    if (readNumber !== this.#snapshot.readNumber) this.#update({ readNumber });
  }

  /** Loads a page of older messages, as far as the list has room for them. Rejects with ApiError. */
  async loadOlder(): Promise<void> {
    const { hasOlder, isLoadingOlder } = this.#snapshot;
    const [oldest] = this.#log;
    if (!hasOlder || isLoadingOlder || oldest === undefined) return;
    this.#update({ isLoadingOlder: true });
    try {
      const page = await this.#options.fetchOlder(oldest.id);
      const isSameLog = this.#log[0]?.id === oldest.id;
      if (isSameLog) this.#prepend(page.messages, page.hasOlder);
    } finally {
      this.#update({ isLoadingOlder: false });
    }
  }

  close(): void {
    this.#listening.close();
    this.#stopFollowing();
    this.#outbox.close();
    this.#listeners.clear();
  }

  async #send({ clientId, content, writtenAtMs }: OutgoingMessage): Promise<string | null> {
    const { transport, userId, roomId } = this.#options;
    const timestamp = new Date(writtenAtMs).toISOString();
    const receipt = await transport.send(
      destinations.sendChat,
      { senderId: userId, roomId, content, timestamp },
      { 'client-id': clientId },
    );
    return receipt['message-id'] ?? null;
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
    this.#isCurrent = true;
    const before = this.#snapshot;
    const isKept = recovered && this.#log.length > 0;
    const last = positionOf(this.#log.at(-1));
    const first = positionOf(page[0]);
    const isSameGathering = last !== null && first?.epoch === last.epoch;
    const isHole = !recovered && isSameGathering && first.number > last.number + 1;
    this.#log = recovered ? mergeMessages(this.#log, page) : page;
    this.#gather(first?.epoch ?? (recovered ? (this.#gathering?.epoch ?? null) : null));
    this.#update({
      hasLoaded: true,
      hasOlder: isKept ? before.hasOlder : hasOlder,
      gapBeforeId: isKept ? before.gapBeforeId : isHole ? (page[0]?.id ?? null) : null,
      // What was said before one came is not unread.
      readNumber: isKept || isSameGathering ? before.readNumber : numberOf(page.at(-1)),
    });
    this.#outbox.resume();
  }

  #take(message: ChatMessage): void {
    const position = positionOf(message);
    if (position?.roomId !== this.#options.roomId || !this.#snapshot.hasLoaded) return;
    const last = positionOf(this.#log.at(-1));
    const isNext = last === null || position.number === last.number + 1;
    const isSameGathering = last === null || position.epoch === last.epoch;
    if (!isSameGathering || (!isNext && position.number > (last?.number ?? 0))) {
      this.#fillHole();
      return;
    }
    if (!isNext) return;
    this.#log = mergeMessages(this.#log, [message]);
    this.#gather(position.epoch);
    this.#update({});
  }

  #gather(epoch: number | null): void {
    this.#gathering = { epoch };
    if (epoch !== null) this.#outbox.adopt(epoch);
  }

  /** Asks once for what is missing behind the last message. */
  #fillHole(): void {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    this.#listening.renew();
  }

  /** Whether the log has, or had, the message of this id: later ones are still to come. */
  #hasShown(messageId: string): boolean {
    const position = parseChatMessageId(messageId);
    const last = positionOf(this.#log.at(-1));
    if (position === null) return true;
    if (last === null) return false;
    const isOfThisLog = position.roomId === last.roomId && position.epoch === last.epoch;
    return !isOfThisLog || position.number <= last.number;
  }

  #prepend(page: readonly ChatMessage[], hasOlder: boolean): void {
    const room = CHAT_LIST_MAX - this.#log.length;
    const fitting = room > 0 ? page.slice(-room) : [];
    this.#log = mergeMessages(fitting, this.#log);
    this.#update({ hasOlder: hasOlder && page.length < room, gapBeforeId: null });
  }

  /** Takes a change over, with what the log and the outbox hold by now. */
  #update(change: Partial<Omit<ChatSnapshot, 'messages' | 'outgoing' | 'leftovers'>>): void {
    // May come back here once, with fewer entries.
    this.#outbox.forgetShown((messageId) => this.#hasShown(messageId));
    const { unresolved, confirmedIds, waiting: outgoing, elsewhere } = this.#outbox;
    const { userId } = this.#options;
    const messages = withoutUnresolved(this.#log, userId, unresolved, confirmedIds);
    const leftovers = [...elsewhere.map(leftoverOf), ...this.#draftsElsewhere];
    this.#snapshot = { ...this.#snapshot, ...change, messages, outgoing, leftovers };
    for (const listener of [...this.#listeners]) listener();
  }
}

function leftoverOf({ clientId, roomId, content }: OutgoingMessage): UnsentText {
  return { key: clientId, roomId, text: content };
}
