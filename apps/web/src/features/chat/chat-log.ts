import {
  CHAT_LIST_MAX,
  ChatMessage,
  type ChatPosition,
  ChatRecovery,
  destinations,
  parseChatMessageId,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import type { OpenListening } from '../../shared/realtime/listenings.ts';
import type { RealtimeTransport } from '../../shared/realtime/realtime-connection.ts';

/** A message of the room's log with its parsed id and timestamp; the numbers have no gaps. */
export interface LogMessage extends ChatMessage, Omit<ChatPosition, 'roomId'> {
  /** Epoch ms, by the server's clock. */
  readonly sentAtMs: number;
}

/** This tab's part of the log of one gathering. */
export interface ChatLog {
  /** Oldest first, at most `CHAT_LIST_MAX`. */
  readonly messages: readonly LogMessage[];
  /** The gathering; null while it has no messages. */
  readonly epoch: number | null;
  /** Whether the log has been loaded, even if it is empty. */
  readonly hasLoaded: boolean;
  readonly hasOlder: boolean;
  /** Messages before this one may be missing, until older ones are loaded. */
  readonly gapBeforeId: string | null;
  /** Number of the last message that the learner has read. */
  readonly readNumber: number;
}

const emptyLog: ChatLog = {
  messages: [],
  epoch: null,
  hasLoaded: false,
  hasOlder: false,
  gapBeforeId: null,
  readNumber: 0,
};

/** A page of older messages. */
interface OlderPage {
  readonly messages: readonly ChatMessage[];
  readonly hasOlder: boolean;
}

interface LiveLogOptions {
  readonly roomId: RoomId;
  readonly transport: RealtimeTransport;
  /** Called after each change; `isRecovered` when the messages missed without a connection have arrived. */
  readonly onChange: (isRecovered: boolean) => void;
}

/** The log of a room as it arrives: in order, without gaps or repeats. */
export class LiveLog {
  readonly #options: LiveLogOptions;
  #current = emptyLog;
  #isComplete = false;
  /** A message is missing and was requested. */
  #isRenewing = false;
  #listening: OpenListening | null = null;
  #stopFollowing = () => {};

  constructor(options: LiveLogOptions) {
    this.#options = options;
  }

  get current(): ChatLog {
    return this.#current;
  }

  /** Complete up to its end: false from a lost connection to the recovery after it. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Receives the room's messages until `close`; call once. */
  open(): void {
    const { transport } = this.#options;
    this.#listening = transport.listen({
      destination: destinations.messages,
      headers: () => ({ 'last-id': this.#current.messages.at(-1)?.id ?? '' }),
      onMessage: (body, headers) => this.#receive(body, headers),
    });
    this.#stopFollowing = transport.store.subscribe(({ state }) => {
      if (state !== 'connected') this.#isComplete = false;
    });
  }

  close(): void {
    this.#listening?.close();
    this.#stopFollowing();
  }

  /** Without a message: all of them. One of another gathering, or before the last read one, changes nothing. */
  markRead(messageId = this.#current.messages.at(-1)?.id ?? ''): void {
    const position = parseChatMessageId(messageId);
    const { epoch, readNumber } = this.#current;
    if (position?.epoch !== epoch || position.number <= readNumber) return;
    this.#set({ ...this.#current, readNumber: position.number });
  }

  /** Adds the page before the message `oldestId`, unless the log begins with another one by now. */
  addOlder(oldestId: string, page: OlderPage): void {
    const isSameLog = this.#current.messages[0]?.id === oldestId;
    if (isSameLog) this.#set(afterOlder(this.#current, page));
  }

  #receive(body: unknown, headers: Readonly<Record<string, string>>): void {
    if (headers.kind === 'recovery') {
      const recovery = ChatRecovery.safeParse(body);
      if (recovery.success) this.#recover(recovery.data);
      return;
    }
    const message = ChatMessage.safeParse(body);
    if (!message.success) {
      // biome-ignore lint/suspicious/noConsole: specification §4 wants it in the log; its text may be private
      console.error('chat: a message could not be read');
    } else if (message.data.roomId === this.#options.roomId) this.#take(message.data);
  }

  #recover(recovery: ChatRecovery): void {
    if (recovery.messages.some(({ roomId }) => roomId !== this.#options.roomId)) return;
    this.#isRenewing = false;
    this.#isComplete = true;
    this.#set(afterRecovery(this.#current, recovery), true);
  }

  #take(message: ChatMessage): void {
    const [logged] = logMessagesOf([message]);
    if (logged === undefined || !this.#current.hasLoaded) return;
    const log = afterMessage(this.#current, logged);
    if (log !== null) {
      if (log !== this.#current) this.#set(log);
    } else if (!this.#isRenewing) {
      // Requested once, from the last message before the gap.
      this.#isRenewing = true;
      this.#listening?.renew();
    }
  }

  #set(log: ChatLog, isRecovered = false): void {
    this.#current = log;
    this.#options.onChange(isRecovered);
  }
}

/** The messages with valid ids of a log. */
export function logMessagesOf(messages: readonly ChatMessage[]): readonly LogMessage[] {
  return messages.flatMap((message) => {
    const position = parseChatMessageId(message.id);
    return position === null
      ? []
      : [{ ...message, ...position, sentAtMs: Date.parse(message.timestamp) }];
  });
}

/** The log after the answer to a subscription: the missed messages, or a page that replaces it. */
function afterRecovery(log: ChatLog, recovery: ChatRecovery): ChatLog {
  const { recovered, hasOlder } = recovery;
  const page = logMessagesOf(recovery.messages);
  const isKept = recovered && log.messages.length > 0;
  const last = log.messages.at(-1);
  const first = page[0];
  const isSameGathering = last !== undefined && first?.epoch === last.epoch;
  const isHole = !recovered && isSameGathering && first.number > last.number + 1;
  const isContinued = isKept || isSameGathering || (log.hasLoaded && last === undefined);
  const unreadFrom = recovery.readNumber ?? page.at(-1)?.number ?? 0;
  return {
    messages: recovered ? merged(log.messages, page) : page,
    epoch: first?.epoch ?? (recovered ? log.epoch : null),
    hasLoaded: true,
    hasOlder: isKept ? log.hasOlder : hasOlder,
    gapBeforeId: isKept ? log.gapBeforeId : isHole ? first.id : null,
    // Messages from before the learner entered are not unread; those sent during an outage are, including the
    // first ones.
    readNumber: Math.max(isContinued ? log.readNumber : unreadFrom, recovery.readNumber ?? 0),
  };
}

/** The log with one more message; null where earlier messages are missing. */
function afterMessage(log: ChatLog, message: LogMessage): ChatLog | null {
  const last = log.messages.at(-1);
  if (last !== undefined) {
    if (message.epoch !== last.epoch || message.number > last.number + 1) return null;
    if (message.number <= last.number) return log;
  }
  const messages = [...log.messages.slice(1 - CHAT_LIST_MAX), message];
  return { ...log, messages, epoch: message.epoch };
}

/** The log with a page of older messages, as far as it has room for them. */
function afterOlder(log: ChatLog, page: OlderPage): ChatLog {
  const room = CHAT_LIST_MAX - log.messages.length;
  const fitting = room > 0 ? logMessagesOf(page.messages).slice(-room) : [];
  return {
    ...log,
    messages: merged(fitting, log.messages),
    hasOlder: page.hasOlder && page.messages.length < room,
    gapBeforeId: null,
  };
}

/** Both lists merged: each message once, ordered by number, the newest `CHAT_LIST_MAX` of them. */
function merged(
  known: readonly LogMessage[],
  incoming: readonly LogMessage[],
): readonly LogMessage[] {
  const byNumber = new Map([...known, ...incoming].map((message) => [message.number, message]));
  return [...byNumber.values()].sort((a, b) => a.number - b.number).slice(-CHAT_LIST_MAX);
}

/** A text with at most one blank line in a row. */
export function withoutBlankRuns(text: string): string {
  return text.replace(/\n(?:[^\S\n]*\n){2,}/gu, '\n\n');
}

/** Messages of others that the learner has not read; those of blocked learners do not count. */
export function unreadMessages(
  messages: readonly LogMessage[],
  readNumber: number,
  selfId: UserId,
  blockedIds: ReadonlySet<UserId>,
): readonly LogMessage[] {
  return messages.filter(
    ({ number, senderId, isWithheld }) =>
      number > readNumber && senderId !== selfId && !isWithheld && !blockedIds.has(senderId),
  );
}
