import {
  destinations,
  parseChatMessageId,
  type Reaction,
  type ReactionChange,
  ReactionFrame,
} from '@mogakgong/contract';
import { createStore } from 'zustand/vanilla';
import { reportRejection } from '../../shared/lib/watch-errors.ts';
import { resendWaitMs, SendError } from '../../shared/realtime/send-error.ts';
import { notify } from '../../shared/ui/notify.ts';
import type { ChatRoom } from './chat-room.ts';

/** The reactions to each message, by its number: the latest change of each person. */
type ReactionsByMessage = ReadonlyMap<number, readonly ReactionChange[]>;

interface ReactionsState {
  readonly byMessage: ReactionsByMessage;
  /** Presses that the server has not confirmed, by message id. */
  readonly pressed: ReadonlyMap<string, Reaction | null>;
}

const logs = new WeakMap<ChatRoom, ReactionLog>();

/** The reactions of a room, from the first time that its chat is shown. */
export function reactionsOf(chat: ChatRoom): ReactionLog {
  const known = logs.get(chat) ?? new ReactionLog(chat);
  logs.set(chat, known);
  return known;
}

/**
 * The reactions of a room as they arrive. Changes may come twice and in any order, in pages of history as
 * well: of two for one person and message the one with the higher number counts (decision 142).
 */
export class ReactionLog {
  readonly store = createStore<ReactionsState>(() => ({
    byMessage: new Map(),
    pressed: new Map(),
  }));
  readonly #chat: ChatRoom;
  /** The gathering, and the change up to which all are known. */
  #epoch = 0;
  #number = 0;
  /** False from a lost connection until the missed changes have arrived. */
  #isComplete = false;
  #isSending = false;

  constructor(chat: ChatRoom) {
    this.#chat = chat;
    chat.onOlderReactions = (changes) => this.#merge(changes);
    chat.transport.store.subscribe(({ state }) => {
      if (state !== 'connected') this.#isComplete = false;
    });
    chat.transport.listen({
      destination: destinations.reactions,
      headers: () => this.#position(),
      onMessage: (body) => this.#receive(body),
    });
  }

  /** Sends the learner's reaction to a message, or null to take it back; again until the server has it. */
  press(messageId: string, reaction: Reaction | null): void {
    this.#setPressed(messageId, reaction);
    this.#sendPresses().catch(reportRejection);
  }

  #position(): Record<string, string> {
    const [first] = this.#chat.store.getState().messages;
    if (first === undefined) return {};
    const number = first.epoch === this.#epoch ? this.#number : 0;
    return { 'first-message': first.id, 'last-number': String(number) };
  }

  #receive(body: unknown): void {
    const { success, data: frame } = ReactionFrame.safeParse(body);
    if (!success || frame.roomId !== this.#chat.roomId) return;
    if (frame.kind === 'fresh') {
      this.#epoch = frame.epoch;
      this.#number = 0;
      this.store.setState({ byMessage: new Map() });
    }
    if (frame.epoch !== this.#epoch) return;
    if (frame.kind !== 'live') this.#isComplete = true;
    if (this.#isComplete) this.#number = Math.max(this.#number, frame.number);
    this.#merge(frame.changes);
  }

  #merge(changes: readonly ReactionChange[]): void {
    if (changes.length === 0) return;
    const byMessage = new Map(this.store.getState().byMessage);
    for (const change of changes) {
      const known = byMessage.get(change.message) ?? [];
      const before = known.find(({ userId }) => userId === change.userId);
      if (before && before.number >= change.number) continue;
      byMessage.set(change.message, [...known.filter((each) => each !== before), change]);
    }
    this.store.setState({ byMessage });
  }

  async #sendPresses(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (let failures = 0; ; ) {
        const [next] = this.store.getState().pressed;
        if (next === undefined || this.#chat.isClosed) return;
        failures = (await this.#sendOne(...next, failures)) ? 0 : failures + 1;
      }
    } finally {
      this.#isSending = false;
    }
  }

  /** Resolves with whether the press is done. */
  async #sendOne(messageId: string, reaction: Reaction | null, failures: number): Promise<boolean> {
    const { transport, roomId, userId } = this.#chat;
    try {
      const body = { roomId, messageId, reaction };
      const receipt = await transport.send(destinations.sendReaction, body, {});
      const message = parseChatMessageId(messageId)?.number;
      if (receipt.number !== undefined && message !== undefined) {
        this.#merge([{ message, userId, reaction, number: Number(receipt.number) }]);
      }
    } catch (error) {
      const isRefused = error instanceof SendError && error.reason === 'refused';
      if (!isRefused) {
        await new Promise((resolve) => setTimeout(resolve, resendWaitMs(failures, error)));
        return false;
      }
      notify.toast(error.message, 'bad');
    }
    // Pressed again meanwhile: the later press is sent next.
    const { pressed } = this.store.getState();
    if (pressed.get(messageId) === reaction) {
      this.store.setState({ pressed: new Map([...pressed].filter(([id]) => id !== messageId)) });
    }
    return true;
  }

  #setPressed(messageId: string, reaction: Reaction | null): void {
    const { pressed } = this.store.getState();
    this.store.setState({ pressed: new Map(pressed).set(messageId, reaction) });
  }
}
