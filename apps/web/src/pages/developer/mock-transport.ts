import {
  type ChatMessage,
  ChatPayload,
  chatMessageId,
  DEFAULT_PROFILE_IMAGE,
  destinations,
  ReactionPayload,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { createStore } from 'zustand/vanilla';
import type { Listening } from '../../shared/realtime/listenings.ts';
import {
  noConnection,
  type RealtimeSnapshot,
  type RealtimeTransport,
  type Receipt,
} from '../../shared/realtime/realtime-connection.ts';

/** A sender in a chat without a server. */
export interface MockSender {
  readonly userId: UserId;
  readonly nickname: string;
}

/** Delay of the mock's confirmation, like that of a nearby server. */
const CONFIRM_MS = 120;

/**
 * The chat's server in memory, for developer pages: always connected, it confirms and delivers messages of
 * `self`, and sends messages of others.
 */
export class MockTransport implements RealtimeTransport {
  readonly store = createStore<RealtimeSnapshot>(() => ({ ...noConnection, state: 'connected' }));
  readonly #roomId: RoomId;
  readonly #self: MockSender;
  readonly #listenings = new Set<Listening>();
  readonly #messages: ChatMessage[] = [];
  /** Changes of reactions. */
  #changes = 0;

  constructor(roomId: RoomId, self: MockSender) {
    this.#roomId = roomId;
    this.#self = self;
  }

  listen(listening: Listening) {
    this.#listenings.add(listening);
    this.#recover(listening);
    return {
      renew: () => this.#recover(listening),
      close: () => void this.#listenings.delete(listening),
    };
  }

  async send(destination: string, body: unknown): Promise<Receipt> {
    await new Promise((resolve) => setTimeout(resolve, CONFIRM_MS));
    if (destination === destinations.sendReaction) {
      ReactionPayload.parse(body);
      this.#changes += 1;
      return { number: String(this.#changes) };
    }
    const { content, quotedId } = ChatPayload.parse(body);
    const quoted = this.#messages.find(({ id }) => id === quotedId);
    return { 'message-id': this.say(this.#self, content, 0, quoted) };
  }

  /** Sends a message of another person, dated `agoMs` before now; returns its id. */
  say({ userId, nickname }: MockSender, content: string, agoMs = 0, quote?: ChatMessage): string {
    const roomId = this.#roomId;
    const message: ChatMessage = {
      senderId: userId,
      roomId,
      content,
      timestamp: new Date(Date.now() - agoMs).toISOString(),
      nickname,
      profileImage: DEFAULT_PROFILE_IMAGE,
      id: chatMessageId({ roomId, epoch: 1, number: this.#messages.length + 1 }),
      quote,
    };
    this.#messages.push(message);
    for (const listening of this.#listenings) {
      if (listening.destination === destinations.messages) listening.onMessage(message, {});
    }
    return message.id;
  }

  /** Asynchronous, like every answer of a server. */
  #recover(listening: Listening): void {
    if (listening.destination !== destinations.messages) return;
    const messages = [...this.#messages];
    const recovery = { kind: 'recovery', recovered: false, messages, hasOlder: false };
    queueMicrotask(() => listening.onMessage(recovery, { kind: 'recovery' }));
  }
}
