import { RoomId, type UserId } from '@mogakgong/contract';
import * as z from 'zod/mini';
import { type StorageKey, storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';

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
