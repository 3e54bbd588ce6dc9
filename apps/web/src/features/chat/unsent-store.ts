import { RoomId, type UserId } from '@mogakgong/contract';
import * as z from 'zod/mini';

const KEY_PREFIX = 'mogakgong.chat-unsent';
/** Of no gathering any more; real ones count from 1. */
const ENDED_EPOCH = 0;

/** What is kept of a message that the server has not confirmed. */
const Stored = z.object({
  clientId: z.string(),
  roomId: RoomId,
  /** The gathering that it was written for; null where that was not known yet. */
  epoch: z.nullable(z.number()),
  content: z.string(),
  writtenAtMs: z.number(),
  /**
   * The log's last number before it was sent for the first time, while nobody knows whether it
   * arrived; null when it certainly did not.
   */
  triedAfter: z.nullable(z.number()),
  /** Why it was given up, or null. */
  problem: z.nullable(z.string()),
});
export type StoredOutgoing = z.infer<typeof Stored>;

const StoredList = z.array(Stored);
/** By the number of the room. */
const Drafts = z.record(z.string(), z.string());

/** A text that was not sent, wherever it was to be said. */
export interface UnsentText {
  readonly key: string;
  readonly roomId: RoomId;
  readonly text: string;
}

/** Where what one learner wrote is kept until the server has it. */
export interface UnsentStore {
  readonly loadMessages: () => readonly StoredOutgoing[];
  readonly saveMessages: (messages: readonly StoredOutgoing[]) => void;
  readonly loadDraft: (roomId: RoomId) => string;
  readonly saveDraft: (roomId: RoomId, text: string) => void;
  /** Drafts of all rooms but one. */
  readonly draftsElsewhere: (roomId: RoomId) => readonly UnsentText[];
}

/** Holds what the browser's storage refuses: it is full or forbidden. */
const refused = new Map<string, string>();

function read(key: string): string | null {
  try {
    return refused.get(key) ?? sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  refused.delete(key);
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    if (value !== null) refused.set(key, value);
  }
}

function parsed<Value>(schema: z.ZodMiniType<Value>, text: string | null, fallback: Value): Value {
  try {
    return schema.parse(JSON.parse(text ?? ''));
  } catch {
    return fallback;
  }
}

/**
 * Keeps it in this tab, over reloads, log-ins and other pages: two tabs never send one another's
 * messages, and what a duplicated tab sends again has the same client id.
 */
export function createUnsentStore(userId: UserId): UnsentStore {
  const messagesKey = `${KEY_PREFIX}.messages.${userId}`;
  const draftsKey = `${KEY_PREFIX}.drafts.${userId}`;
  const drafts = () => parsed(Drafts, read(draftsKey), {});
  return {
    loadMessages: () => parsed(StoredList, read(messagesKey), []),
    saveMessages: (messages) =>
      write(messagesKey, messages.length === 0 ? null : JSON.stringify(messages)),
    loadDraft: (roomId) => drafts()[roomId] ?? '',
    saveDraft(roomId, text) {
      const { [roomId]: _old, ...others } = drafts();
      const next = text === '' ? others : { ...others, [roomId]: text };
      write(draftsKey, Object.keys(next).length === 0 ? null : JSON.stringify(next));
    },
    draftsElsewhere: (roomId) => unsentDrafts(drafts()).filter((draft) => draft.roomId !== roomId),
  };
}

/** For a chat that is only tried out: what is written there ends with the page. */
export function createMemoryStore(): UnsentStore {
  let messages: readonly StoredOutgoing[] = [];
  let draft = '';
  return {
    loadMessages: () => messages,
    saveMessages: (next) => {
      messages = next;
    },
    loadDraft: () => draft,
    saveDraft: (_roomId, text) => {
      draft = text;
    },
    draftsElsewhere: () => [],
  };
}

function unsentDrafts(drafts: z.infer<typeof Drafts>): UnsentText[] {
  return Object.entries(drafts).flatMap(([room, text]) => {
    const roomId = RoomId.safeParse(Number(room));
    return roomId.success ? [{ key: `draft-${room}`, roomId: roomId.data, text }] : [];
  });
}

/** Everything that a learner wrote in this tab and that is not said, messages before drafts. */
export function allUnsent(userId: UserId): readonly UnsentText[] {
  const messages = createUnsentStore(userId)
    .loadMessages()
    .map(({ clientId, roomId, content }) => ({ key: clientId, roomId, text: content }));
  const drafts = parsed(Drafts, read(`${KEY_PREFIX}.drafts.${userId}`), {});
  return [...messages, ...unsentDrafts(drafts)];
}

/** Forgets one of them. */
export function discardUnsent(userId: UserId, { key, roomId }: UnsentText): void {
  const store = createUnsentStore(userId);
  const messages = store.loadMessages();
  const left = messages.filter(({ clientId }) => clientId !== key);
  if (left.length < messages.length) store.saveMessages(left);
  else store.saveDraft(roomId, '');
}

/** Whether a message waits that would be lost with the tab. */
export function hasUnsentMessages(userId: UserId): boolean {
  return createUnsentStore(userId).loadMessages().length > 0;
}

/**
 * The learner gave up the seat: messages whose gathering was never known are not sent to whoever sits
 * there next.
 */
export function endUnknownGathering(userId: UserId, roomId: RoomId): void {
  const store = createUnsentStore(userId);
  store.saveMessages(
    store
      .loadMessages()
      .map((message) =>
        message.roomId === roomId && message.epoch === null
          ? { ...message, epoch: ENDED_EPOCH }
          : message,
      ),
  );
}
