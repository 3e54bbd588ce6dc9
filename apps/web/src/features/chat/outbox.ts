import { type ChatPosition, parseChatMessageId, type RoomId } from '@mogakgong/contract';
import { SendError } from '../../shared/realtime/transport.ts';
import { hasReached, type Unresolved } from './chat-log.ts';
import type { StoredOutgoing } from './unsent-store.ts';

/**
 * A message of this tab that the room's log does not show yet. `queued` waits for the connection,
 * `sent` is confirmed and about to appear, `failed` waits for the learner.
 */
export interface OutgoingMessage extends StoredOutgoing {
  readonly state: 'queued' | 'sending' | 'sent' | 'failed';
  /** The log's id for it, once the server named it. */
  readonly messageId: string | null;
}

/** What the learner wrote and the server has not confirmed, oldest first. Nothing in it changes. */
export interface Outbox {
  readonly entries: readonly OutgoingMessage[];
  /** Messages of the log that receipts named: they are nobody else's. */
  readonly confirmedIds: ReadonlySet<string>;
  readonly lastConfirmed: ChatPosition | null;
}

export type OutboxEvent =
  | { readonly type: 'written'; readonly message: StoredOutgoing }
  | { readonly type: 'sending'; readonly clientId: string; readonly triedAfter: number }
  /** The log has it under `messageId`; null where the server names none. */
  | { readonly type: 'confirmed'; readonly clientId: string; readonly messageId: string | null }
  | {
      readonly type: 'unconfirmed';
      readonly clientId: string;
      readonly triedAfter: number | null;
      /** Why the learner decides what becomes of it; null: it is tried again. */
      readonly problem: string | null;
    }
  | { readonly type: 'retried'; readonly clientId: string; readonly nowMs: number }
  | { readonly type: 'discarded'; readonly clientId: string }
  /** The room's log ends with `last`, in this gathering; null where that is not known. */
  | {
      readonly type: 'logged';
      readonly roomId: RoomId;
      readonly epoch: number | null;
      readonly last: ChatPosition | undefined;
    };

/** The outbox of a tab that starts with what was stored. */
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
  switch (event.type) {
    case 'written':
      return { ...outbox, entries: [...entries, entryOf(event.message)] };
    case 'sending':
      return change(event.clientId, { state: 'sending', triedAfter: event.triedAfter });
    case 'confirmed': {
      const { clientId, messageId } = event;
      if (messageId === null) return keep((entry) => entry.clientId !== clientId);
      return {
        ...change(clientId, { state: 'sent', messageId }),
        confirmedIds: new Set([...outbox.confirmedIds, messageId]),
        lastConfirmed: parseChatMessageId(messageId),
      };
    }
    case 'unconfirmed': {
      const { clientId, triedAfter, problem } = event;
      const state = problem === null ? 'queued' : 'failed';
      return change(clientId, { state, triedAfter, problem });
    }
    case 'retried':
      return change(event.clientId, { state: 'queued', problem: null, writtenAtMs: event.nowMs });
    case 'discarded':
      return keep(({ clientId }) => clientId !== event.clientId);
    case 'logged': {
      const { roomId, epoch, last } = event;
      // What was written here without knowing the gathering belongs to this one.
      const isAdopted = (entry: OutgoingMessage) =>
        epoch !== null && entry.epoch === null && entry.roomId === roomId;
      const left = keep(({ messageId }) => messageId === null || !hasReached(last, messageId));
      if (!left.entries.some(isAdopted)) return left;
      const adopted = left.entries.map((entry) => (isAdopted(entry) ? { ...entry, epoch } : entry));
      return { ...left, entries: adopted };
    }
  }
}

function entryOf(stored: StoredOutgoing): OutgoingMessage {
  return { ...stored, state: stored.problem === null ? 'queued' : 'failed', messageId: null };
}

/** What is kept over a reload: everything that the server has not confirmed. */
export function storedOf({ entries }: Outbox): readonly StoredOutgoing[] {
  return entries
    .filter(({ state }) => state !== 'sent')
    .map(({ state: _state, messageId: _messageId, ...stored }) => stored);
}

/** What was sent and may or may not be in the log. */
export function unresolvedOf(entries: readonly OutgoingMessage[]): readonly Unresolved[] {
  return entries.flatMap(({ content, state, triedAfter }) =>
    state === 'sent' || triedAfter === null ? [] : [{ content, afterNumber: triedAfter }],
  );
}

/** What follows from a send that was not confirmed: it is tried again, or the learner decides. */
export function afterFailure(
  entry: OutgoingMessage,
  error: unknown,
  options: {
    readonly triedAfter: number;
    readonly mayTryAgain: boolean;
    /** Where the server gave no reason. */
    readonly failedText: string;
  },
): Extract<OutboxEvent, { type: 'unconfirmed' | 'discarded' }> {
  const { clientId } = entry;
  const reason = error instanceof SendError ? error : null;
  // An earlier try arrived where it was written for.
  if (reason?.errorName === 'chatSentElsewhere') return { type: 'discarded', clientId };
  const isPassing = reason?.reason === 'lost' || reason?.errorName === 'chatTooFast';
  return {
    type: 'unconfirmed',
    clientId,
    // Of a refused one it is known whether it arrived: as far as that was known before this try.
    triedAfter: reason?.reason === 'refused' ? entry.triedAfter : options.triedAfter,
    problem: isPassing && options.mayTryAgain ? null : reason?.message || options.failedText,
  };
}

/** `randomUUID` exists on secure pages only; a school's http address is none. */
export function newClientId(): string {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
