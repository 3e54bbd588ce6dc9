import {
  type ChatPosition,
  parseChatMessageId,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { SendError } from '../../shared/realtime/send-error.ts';
import { type ChatLog, type LogMessage, withoutBlankRuns } from './chat-log.ts';
import type { StoredOutgoing } from './unsent-store.ts';

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
