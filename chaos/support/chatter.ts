import { setTimeout as delay } from 'node:timers/promises';
import {
  type ChatMessage,
  type ChatRecovery,
  parseChatMessageId,
  REQUEST_TIMEOUT_MS,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import type { Random } from '../../bench/support/random.ts';
import { StompConnection, type StompFrame } from './stomp-connection.ts';

interface ChatterOptions {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly makeToken: () => Promise<string>;
  readonly port: number;
  readonly random: Random;
  /** Texts that are to be sent, in order. */
  readonly texts: readonly string[];
  readonly messagesPerSecond: number;
  /** How long a receipt is waited for; as long as in the browser unless given. */
  readonly receiptWithinMs?: number;
}

/** Messages that may be under way before the first of them is acknowledged. */
const WINDOW = 4;
const RECONNECT_MS = { from: 100, to: 600 };
const RETRY_REFUSED_MS = 200;
const HISTORY_TIMEOUT_MS = 5_000;
/** RFC 6455, 7.4.1. */
export const SERVER_FAILED = 1011;

/** What went wrong from one learner's point of view; all of it must stay 0. */
export interface Complaints {
  duplicated: number;
  outOfOrder: number;
  foreign: number;
}

/**
 * A learner who sends and reads as our client does: unacknowledged messages are sent again with
 * their client-ids, and what was missed is asked for with `last-id`, or from the history.
 */
export class Chatter {
  readonly options: ChatterOptions;
  /** Texts whose RECEIPT came, with the message id that it named. */
  readonly acknowledged = new Map<string, string>();
  /** The room as this learner saw it. */
  readonly log: ChatMessage[] = [];
  readonly complaints: Complaints = { duplicated: 0, outOfOrder: 0, foreign: 0 };
  readonly recoveries = { recovered: 0, reloaded: 0 };
  refusals = 0;
  connects = 0;
  /** Connections that the server ended for a failure of its own. */
  readonly failures: string[] = [];
  #connection: StompConnection | undefined;
  #isReady = false;
  #isStopped = false;
  #sent = 0;
  #nextSendAtMs = 0;
  /** When something was sent or acknowledged last. */
  #movedAtMs = 0;
  #pump: NodeJS.Timeout | undefined;
  /** Live messages that came while the gap before them is being filled. */
  #waiting: ChatMessage[] | undefined;

  constructor(options: ChatterOptions) {
    this.options = options;
  }

  get isDone(): boolean {
    return this.acknowledged.size === this.options.texts.length;
  }

  start(): void {
    this.#pump = setInterval(() => this.#sendDue(), 10);
    void this.#connect();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#pump);
    this.#connection?.cut();
  }

  async #connect(): Promise<void> {
    const { makeToken, port } = this.options;
    const token = await makeToken();
    this.connects += 1;
    const connection = new StompConnection({
      port,
      token,
      onFrame: (frame) => {
        if (this.#connection === connection) this.#receive(connection, frame, token);
      },
      onClose: (code) => {
        if (code === SERVER_FAILED) this.failures.push(`closed with ${code}`);
        void this.#reconnect(connection);
      },
    });
    this.#connection = connection;
  }

  async #reconnect(lost: StompConnection): Promise<void> {
    if (this.#connection !== lost) return;
    this.#connection = undefined;
    this.#isReady = false;
    this.#waiting = undefined;
    await delay(this.options.random.between(RECONNECT_MS.from, RECONNECT_MS.to));
    if (!this.#isStopped) await this.#connect();
  }

  #receive(
    connection: StompConnection,
    { command, headers, body }: StompFrame,
    token: string,
  ): void {
    if (command === 'CONNECTED') {
      connection.send('SUBSCRIBE', {
        id: 'sub-0',
        destination: '/topic/messages',
        'last-id': this.log.at(-1)?.id ?? '',
      });
    } else if (command === 'RECEIPT') {
      const index = Number(headers.get('receipt-id'));
      const text = this.options.texts[index];
      if (text !== undefined) this.acknowledged.set(text, headers.get('message-id') ?? '');
      this.#movedAtMs = performance.now();
    } else if (command === 'ERROR') {
      this.refusals += 1;
      // What was refused is sent again, and all behind it so that the order stays.
      const index = Number(headers.get('receipt-id') ?? Number.NaN);
      if (index >= 0) {
        this.#sent = Math.min(this.#sent, index);
        this.#nextSendAtMs = performance.now() + RETRY_REFUSED_MS;
      }
    } else if (command === 'MESSAGE' && headers.get('kind') === 'recovery') {
      void this.#recover(connection, JSON.parse(body) as ChatRecovery, token);
    } else if (command === 'MESSAGE') {
      const message = JSON.parse(body) as ChatMessage;
      if (this.#waiting) this.#waiting.push(message);
      else this.#append(message);
    }
  }

  async #recover(
    connection: StompConnection,
    recovery: ChatRecovery,
    token: string,
  ): Promise<void> {
    this.#waiting = [];
    let missed = recovery.messages;
    if (recovery.recovered) this.recoveries.recovered += 1;
    else {
      this.recoveries.reloaded += 1;
      missed = await this.#reload(missed, token).catch(() => []);
      if (this.#connection !== connection) return;
      const isWhole = (missed[0] ? numberOf(missed[0]) : this.#number + 1) === this.#number + 1;
      if (!isWhole || (missed.length === 0 && recovery.messages.length > 0)) {
        connection.cut();
        return;
      }
    }
    for (const message of missed) this.#append(message);
    for (const message of this.#waiting ?? []) this.#append(message);
    this.#waiting = undefined;
    this.#resend();
    this.#isReady = true;
  }

  /** A fresh page came instead of what was missed: the pages before it fill the gap. */
  async #reload(page: readonly ChatMessage[], token: string): Promise<ChatMessage[]> {
    const { port } = this.options;
    let found = [...page];
    while (found[0] && numberOf(found[0]) > this.#number + 1) {
      const answer = await fetch(
        `http://127.0.0.1:${port}/api/chat/messages?before=${found[0].id}`,
        {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(HISTORY_TIMEOUT_MS),
        },
      );
      if (!answer.ok) throw new Error(`history: ${answer.status}`);
      const { messages } = (await answer.json()) as { messages: ChatMessage[] };
      if (messages.length === 0) break;
      found = [...messages, ...found];
    }
    return found.filter((message) => numberOf(message) > this.#number);
  }

  get #number(): number {
    const last = this.log.at(-1);
    return last ? numberOf(last) : 0;
  }

  #append(message: ChatMessage): void {
    const number = numberOf(message);
    if (message.roomId !== this.options.roomId || !message.content.startsWith(`${message.roomId}/`))
      this.complaints.foreign += 1;
    else if (number <= this.#number) this.complaints.duplicated += 1;
    else {
      if (number !== this.#number + 1) this.complaints.outOfOrder += 1;
      this.log.push(message);
    }
  }

  /** After a reconnect everything that was not acknowledged goes out again, in order. */
  #resend(): void {
    const first = this.options.texts.findIndex((text) => !this.acknowledged.has(text));
    this.#sent = first === -1 ? this.options.texts.length : first;
  }

  #sendDue(): void {
    const { texts, messagesPerSecond, userId, roomId } = this.options;
    const { receiptWithinMs = REQUEST_TIMEOUT_MS } = this.options;
    const nowMs = performance.now();
    if (!this.#isReady || nowMs < this.#nextSendAtMs) return;
    const underWay = this.#sent - this.acknowledged.size;
    if (underWay > 0 && nowMs - this.#movedAtMs > receiptWithinMs) {
      this.#resend();
      return;
    }
    const content = texts[this.#sent];
    if (content === undefined || underWay >= WINDOW) return;
    this.#connection?.send(
      'SEND',
      { destination: '/pub/chat', receipt: String(this.#sent), 'client-id': `m${this.#sent}` },
      JSON.stringify({ senderId: userId, roomId, content }),
    );
    this.#sent += 1;
    this.#movedAtMs = nowMs;
    this.#nextSendAtMs = nowMs + 1_000 / messagesPerSecond;
  }
}

function numberOf(message: ChatMessage): number {
  return parseChatMessageId(message.id)?.number ?? Number.NaN;
}
