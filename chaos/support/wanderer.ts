import { setTimeout as delay } from 'node:timers/promises';
import type { ChatMessage, ChatRecovery, RoomId } from '@mogakgong/contract';
import type { SeatedLearner } from '../../bench/support/product.ts';
import type { Random } from '../../bench/support/random.ts';
import { StompConnection, type StompFrame } from './stomp-connection.ts';

interface WandererOptions {
  readonly learner: SeatedLearner;
  readonly rooms: readonly RoomId[];
  readonly port: number;
  readonly random: Random;
}

const STAY_MS = { from: 200, to: 1_500 };
const BETWEEN_ROOMS_MS = { from: 0, to: 200 };

/** A learner who goes from room to room with one subscription, and never receives what is said in another. */
export class Wanderer {
  readonly #options: WandererOptions;
  readonly #connection: StompConnection;
  /** The room sat in, or on the way to. */
  #roomId: RoomId | undefined;
  /** When each room was left: the answer had come. */
  readonly #leftAtMs = new Map<RoomId, number>();
  #isStopped = false;
  moves = 0;
  received = 0;
  foreign = 0;

  constructor(options: WandererOptions) {
    this.#options = options;
    this.#roomId = options.learner.roomId;
    this.#connection = new StompConnection({
      port: options.port,
      token: options.learner.token,
      onFrame: (frame) => this.#receive(frame),
      onClose: () => undefined,
    });
  }

  async wander(): Promise<void> {
    const { random, rooms } = this.#options;
    const wait = ({ from, to }: typeof STAY_MS) => delay(random.between(from, to));
    while (!this.#isStopped) {
      await wait(STAY_MS);
      const next = random.pick(rooms.filter((roomId) => roomId !== this.#roomId));
      await this.#post('leave');
      if (this.#roomId !== undefined) this.#leftAtMs.set(this.#roomId, Date.now());
      this.#roomId = undefined;
      await wait(BETWEEN_ROOMS_MS);
      this.#roomId = next;
      this.#leftAtMs.delete(next);
      await this.#post('enter', next);
      this.moves += 1;
    }
    this.#connection.cut();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #post(what: 'enter' | 'leave', roomId?: RoomId): Promise<void> {
    const { port, learner } = this.#options;
    const room = roomId === undefined ? '' : `&roomId=${roomId}`;
    const answer = await fetch(
      `http://127.0.0.1:${port}/api/study-rooms/${what}?userId=${learner.userId}${room}`,
      { method: 'POST', headers: { authorization: `Bearer ${learner.token}` } },
    );
    if (!answer.ok) throw new Error(`${what} was answered with ${answer.status}`);
  }

  #receive({ command, headers, body }: StompFrame): void {
    if (command === 'CONNECTED') {
      this.#connection.send('SUBSCRIBE', {
        id: 'sub-0',
        destination: '/topic/messages',
        'last-id': '',
      });
    } else if (command === 'MESSAGE' && headers.get('kind') === 'recovery') {
      for (const message of (JSON.parse(body) as ChatRecovery).messages) this.#judge(message);
    } else if (command === 'MESSAGE') this.#judge(JSON.parse(body) as ChatMessage);
  }

  /** What was said in a room while one still sat there may arrive a moment after one has left. */
  #judge(message: ChatMessage): void {
    this.received += 1;
    if (message.roomId === this.#roomId) return;
    const leftAtMs = this.#leftAtMs.get(message.roomId) ?? 0;
    if (Date.parse(message.timestamp) > leftAtMs) this.foreign += 1;
  }
}
