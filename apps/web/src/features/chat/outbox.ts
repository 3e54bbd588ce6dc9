import {
  type ChatPosition,
  ChatQuote,
  parseChatMessageId,
  RoomId,
  type UserId,
} from '@mogakgong/contract';
import * as z from 'zod/mini';
import { type StorageKey, storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';
import { SendError } from '../../shared/realtime/send-error.ts';
import { type ChatLog, type LogMessage, withoutBlankRuns } from './chat-log.ts';

/** The epoch of messages of an ended gathering; real ones count from 1. */
const ENDED_EPOCH = 0;
/** Typing writes the storage at most this often; a crashing tab loses no more than that. */
const DRAFT_SAVE_WAIT_MS = 500;

/** The stored part of an unconfirmed message. */
const Stored = z.object({
  clientId: z.string(),
  roomId: RoomId,
  /** The gathering it was written for; null if unknown then. */
  epoch: z.nullable(z.number()),
  content: z.string(),
  /** The message that it answers. */
  quote: z.optional(ChatQuote),
  writtenAtMs: z.number(),
  /**
   * The log's last number before its first try, while it is unknown whether it arrived; null when it
   * certainly did not.
   */
  triedAfter: z.nullable(z.number()),
  /** Why sending failed for good, or null. */
  problem: z.nullable(z.string()),
});
export type StoredOutgoing = z.infer<typeof Stored>;

const StoredList = z.array(Stored);
/** By the number of the room. */
const Drafts = z.record(z.string(), z.string());

/** An unsent text, for any room. */
export interface UnsentText {
  readonly key: string;
  readonly roomId: RoomId;
  readonly text: string;
}

/** Drafts about to be stored, by their key. */
const unsavedDrafts = new Map<StorageKey, string | null>();
let saving: ReturnType<typeof setTimeout> | undefined;

function saveDrafts(): void {
  clearTimeout(saving);
  saving = undefined;
  for (const [key, value] of unsavedDrafts) writeStored(key, value, 'tab');
  unsavedDrafts.clear();
}
window.addEventListener('pagehide', saveDrafts);

function parsed<Value>(schema: z.ZodMiniType<Value>, key: StorageKey, fallback: Value): Value {
  const text = unsavedDrafts.has(key) ? unsavedDrafts.get(key) : readStored(key, 'tab');
  try {
    return schema.parse(JSON.parse(text ?? ''));
  } catch {
    return fallback;
  }
}

/**
 * Keeps one learner's texts until the server has them: in this tab, over reloads, log-ins and other pages.
 * Two tabs never send one another's messages, and a duplicated tab sends under the same client id. `mock` is
 * the chat of developer pages.
 */
export class UnsentStore {
  readonly #messagesKey: StorageKey;
  readonly #draftsKey: StorageKey;

  constructor(owner: UserId | 'mock') {
    this.#messagesKey = `${storageKeys.unsent}.messages.${owner}`;
    this.#draftsKey = `${storageKeys.unsent}.drafts.${owner}`;
  }

  messages(): readonly StoredOutgoing[] {
    return parsed(StoredList, this.#messagesKey, []);
  }

  saveMessages(messages: readonly StoredOutgoing[]): void {
    const value = messages.length === 0 ? null : JSON.stringify(messages);
    writeStored(this.#messagesKey, value, 'tab');
  }

  drafts(): readonly UnsentText[] {
    return Object.entries(parsed(Drafts, this.#draftsKey, {})).flatMap(([room, text]) => {
      const roomId = RoomId.safeParse(Number(room));
      return roomId.success ? [{ key: `draft-${room}`, roomId: roomId.data, text }] : [];
    });
  }

  /** Keeps the draft of a room; an empty text removes it. Stored a moment later. */
  saveDraft(roomId: RoomId, text: string): void {
    const { [roomId]: _old, ...others } = parsed(Drafts, this.#draftsKey, {});
    const next = text === '' ? others : { ...others, [roomId]: text };
    unsavedDrafts.set(
      this.#draftsKey,
      Object.keys(next).length === 0 ? null : JSON.stringify(next),
    );
    if (text === '') saveDrafts();
    else saving ??= setTimeout(saveDrafts, DRAFT_SAVE_WAIT_MS);
  }

  /** All unsent texts, messages before drafts. */
  all(): readonly UnsentText[] {
    return [...this.messages().map(unsentTextOf), ...this.drafts()];
  }

  discard({ key, roomId }: UnsentText): void {
    const messages = this.messages();
    const left = messages.filter(({ clientId }) => clientId !== key);
    if (left.length < messages.length) this.saveMessages(left);
    else this.saveDraft(roomId, '');
  }

  /**
   * The learner gave up the seat: messages of a gathering that was never known are not sent to the next
   * learner there.
   */
  endUnknownGathering(roomId: RoomId): void {
    const messages = this.messages().map((message) => {
      const isUnknown = message.roomId === roomId && message.epoch === null;
      return isUnknown ? { ...message, epoch: ENDED_EPOCH } : message;
    });
    this.saveMessages(messages);
  }
}

export function unsentTextOf({ clientId, roomId, content }: StoredOutgoing): UnsentText {
  return { key: clientId, roomId, text: content };
}

/**
 * A message of this tab that is not in the room's log yet. `queued` waits for the connection, `sent` is
 * confirmed and about to appear, `failed` waits for the learner.
 */
export interface OutgoingMessage extends StoredOutgoing {
  readonly state: 'queued' | 'sending' | 'sent' | 'failed';
  /** Its id in the log, once the server named it. */
  readonly messageId: string | null;
}

/** The learner's unconfirmed messages, oldest first. Immutable. */
export interface Outbox {
  readonly entries: readonly OutgoingMessage[];
  /** Log messages named by receipts: they belong to this outbox. */
  readonly confirmedIds: ReadonlySet<string>;
  readonly lastConfirmed: ChatPosition | null;
}

export type OutboxEvent =
  | { readonly type: 'written'; readonly message: StoredOutgoing }
  | { readonly type: 'sending'; readonly clientId: string; readonly triedAfter: number }
  /** It is in the log under `messageId`; null where the server names none. */
  | { readonly type: 'confirmed'; readonly clientId: string; readonly messageId: string | null }
  | {
      readonly type: 'failed';
      /** The entry before this try. */
      readonly entry: OutgoingMessage;
      readonly error: unknown;
      readonly mayTryAgain: boolean;
    }
  /** The learner decides about it. */
  | { readonly type: 'stopped'; readonly clientId: string; readonly problem: string }
  | { readonly type: 'retried'; readonly clientId: string; readonly nowMs: number }
  | { readonly type: 'discarded'; readonly clientId: string }
  | { readonly type: 'logged'; readonly roomId: RoomId; readonly log: ChatLog };

/** The outbox of a tab, starting with the stored messages. */
export function openOutbox(stored: readonly StoredOutgoing[]): Outbox {
  const entries = stored.map((message) => entryOf(message));
  return { entries, confirmedIds: new Set(), lastConfirmed: null };
}

/** The outbox after an event; the same object where nothing changed. */
export function outboxAfter(outbox: Outbox, event: OutboxEvent): Outbox {
  const { entries } = outbox;
  const change = (clientId: string, parts: Partial<OutgoingMessage>): Outbox => ({
    ...outbox,
    entries: entries.map((entry) => (entry.clientId === clientId ? { ...entry, ...parts } : entry)),
  });
  const keep = (isKept: (entry: OutgoingMessage) => boolean): Outbox =>
    entries.every(isKept) ? outbox : { ...outbox, entries: entries.filter(isKept) };
  const discard = (discardedId: string) => keep(({ clientId }) => clientId !== discardedId);
  switch (event.type) {
    case 'written':
      return { ...outbox, entries: [...entries, entryOf(event.message)] };
    case 'sending':
      return change(event.clientId, { state: 'sending', triedAfter: event.triedAfter });
    case 'confirmed': {
      const { clientId, messageId } = event;
      if (messageId === null) return discard(clientId);
      return {
        ...change(clientId, { state: 'sent', messageId }),
        confirmedIds: new Set([...outbox.confirmedIds, messageId]),
        lastConfirmed: parseChatMessageId(messageId),
      };
    }
    case 'failed': {
      const { clientId, triedAfter } = event.entry;
      const error = event.error instanceof SendError ? event.error : null;
      // An earlier try arrived in the gathering it was written for.
      if (error?.errorName === 'chatSentElsewhere') return discard(clientId);
      const isPassing =
        error !== null && (error.reason !== 'refused' || error.errorName === 'chatTooFast');
      return change(clientId, {
        ...(isPassing && event.mayTryAgain
          ? { state: 'queued' }
          : { state: 'failed', problem: error?.message ?? '' }),
        // A refused message did not arrive with this try.
        ...(error?.reason === 'refused' && { triedAfter }),
      });
    }
    case 'stopped':
      return change(event.clientId, { state: 'failed', problem: event.problem });
    case 'retried':
      return change(event.clientId, { state: 'queued', problem: null, writtenAtMs: event.nowMs });
    case 'discarded':
      return discard(event.clientId);
    case 'logged': {
      const { epoch, messages } = event.log;
      // A message written here before the gathering was known belongs to this one.
      const isAdopted = (entry: OutgoingMessage) =>
        epoch !== null && entry.epoch === null && entry.roomId === event.roomId;
      const left = keep(
        ({ messageId }) => messageId === null || !hasReached(messages.at(-1), messageId),
      );
      if (!left.entries.some(isAdopted)) return left;
      const adopted = left.entries.map((entry) => (isAdopted(entry) ? { ...entry, epoch } : entry));
      return { ...left, entries: adopted };
    }
  }
}

function entryOf(stored: StoredOutgoing): OutgoingMessage {
  return { ...stored, state: stored.problem === null ? 'queued' : 'failed', messageId: null };
}

/** The part kept over a reload: every unconfirmed message. */
export function storedOf({ entries }: Outbox): readonly StoredOutgoing[] {
  return entries
    .filter(({ state }) => state !== 'sent')
    .map(({ state: _state, messageId: _messageId, ...stored }) => stored);
}

/** Whether a log ending with `last` contains or contained the message: a later one is still to come. */
function hasReached(last: ChatPosition | undefined, messageId: string): boolean {
  const position = parseChatMessageId(messageId);
  if (position === null) return true;
  if (last === undefined) return false;
  const isOfThisLog = position.roomId === last.roomId && position.epoch === last.epoch;
  return !isOfThisLog || position.number <= last.number;
}

/**
 * The log without messages of `userId` that may be unresolved entries of the outbox: those are shown as
 * outgoing until a receipt names their id, so that nothing is shown twice. `confirmedIds` are known to be
 * others.
 */
export function withoutUnresolved(
  log: readonly LogMessage[],
  userId: UserId,
  entries: readonly OutgoingMessage[],
  confirmedIds: ReadonlySet<string>,
): readonly LogMessage[] {
  const held = new Set<string>();
  for (const { content, state, triedAfter } of entries) {
    if (state === 'sent' || triedAfter === null) continue;
    const text = withoutBlankRuns(content);
    const twin = log.find(
      (message) =>
        message.number > triedAfter &&
        message.senderId === userId &&
        !confirmedIds.has(message.id) &&
        !held.has(message.id) &&
        withoutBlankRuns(message.content) === text,
    );
    if (twin !== undefined) held.add(twin.id);
  }
  return held.size === 0 ? log : log.filter(({ id }) => !held.has(id));
}
