import {
  type ChatMessage,
  ChatPayload,
  chatMessageId,
  destinations,
  type RoomId,
  UserId,
} from '@mogakgong/contract';
import { createStore } from 'zustand/vanilla';
import {
  type Listening,
  noConnection,
  type RealtimeSnapshot,
  type RealtimeTransport,
  type Receipt,
} from '../../shared/realtime/realtime-connection.ts';

/** Somebody who writes in a chat without a server. */
export interface MockSender {
  readonly userId: number;
  readonly nickname: string;
}

interface MockOptions {
  readonly roomId: RoomId;
  readonly self: MockSender;
  readonly profileImage: string;
}

/** How long the mock takes to confirm, like a server nearby. */
const CONFIRM_MS = 120;

/**
 * The chat's server in memory, for developer pages: it is always connected, confirms what is sent and
 * delivers it, and lets others say something.
 */
export class MockTransport implements RealtimeTransport {
  readonly store = createStore<RealtimeSnapshot>(() => ({ ...noConnection, state: 'connected' }));
  readonly #options: MockOptions;
  readonly #listenings = new Set<Listening>();
  readonly #messages: ChatMessage[] = [];

  constructor(options: MockOptions) {
    this.#options = options;
  }

  listen(listening: Listening) {
    this.#listenings.add(listening);
    this.#recover(listening);
    return {
      renew: () => this.#recover(listening),
      close: () => void this.#listenings.delete(listening),
    };
  }

  async send(_destination: string, body: unknown): Promise<Receipt> {
    const { content } = ChatPayload.parse(body);
    await new Promise((resolve) => setTimeout(resolve, CONFIRM_MS));
    return { 'message-id': this.say(this.#options.self, content) };
  }

  /** Lets somebody say something, `agoMs` before now; answers the message's id. */
  say(sender: MockSender, content: string, agoMs = 0): string {
    const { roomId, profileImage } = this.#options;
    const message: ChatMessage = {
      senderId: UserId.parse(sender.userId),
      roomId,
      content,
      timestamp: new Date(Date.now() - agoMs).toISOString(),
      nickname: sender.nickname,
      profileImage,
      id: chatMessageId({ roomId, epoch: 1, number: this.#messages.length + 1 }),
    };
    this.#messages.push(message);
    for (const listening of this.#listenings) {
      if (listening.destination === destinations.messages) listening.onMessage(message, {});
    }
    return message.id;
  }

  /** Later, as every answer of a server. */
  #recover(listening: Listening): void {
    if (listening.destination !== destinations.messages) return;
    const recovery = {
      kind: 'recovery',
      recovered: false,
      messages: [...this.#messages],
      hasOlder: false,
    };
    queueMicrotask(() => listening.onMessage(recovery, { kind: 'recovery' }));
  }
}
