import { setTimeout as delay } from 'node:timers/promises';
import type { RoomId } from '@mogakgong/contract';
import type { SeatedLearner } from '../../bench/support/product.ts';
import type { Random } from '../../bench/support/random.ts';
import { StompConnection, type StompFrame } from './stomp-connection.ts';

interface EavesdropperOptions {
  readonly learner: SeatedLearner;
  /** The other room, and a learner who sits there. */
  readonly target: { readonly roomId: RoomId; readonly userId: number };
  readonly port: number;
  readonly random: Random;
}

/** Below the limit of frames a second, so that the connection survives. */
const TRY_EVERY_MS = 250;

/** A learner who sits in one room and tries everything to read, or write in, another. */
export class Eavesdropper {
  /** Marks what they try to say there. */
  static readonly MARK = 'eavesdropper';
  readonly #options: EavesdropperOptions;
  #connection: StompConnection | undefined;
  #subscriptions = 0;
  /** The id of the last guessed subscription. */
  #guessed = 's0';
  #isStopped = false;
  attempts = 0;
  refused = 0;
  received = 0;
  foreign = 0;

  constructor(options: EavesdropperOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    this.#connect();
    const attacks = [
      () => this.#subscribeOtherRoom(),
      () => this.#guessLastId(),
      () => this.#sendThere(),
      () => this.#readHistory(),
    ];
    while (!this.#isStopped) {
      await delay(TRY_EVERY_MS);
      this.attempts += 1;
      await this.#options.random.pick(attacks)();
    }
    this.#connection?.cut();
  }

  stop(): void {
    this.#isStopped = true;
  }

  #connect(): void {
    const { port, learner } = this.#options;
    this.#connection = new StompConnection({
      port,
      token: learner.token,
      onFrame: (frame) => this.#receive(frame),
      onClose: () => {
        if (!this.#isStopped) this.#connect();
      },
    });
  }

  /** A position in the other room, near where its talk may be. */
  #guess(): string {
    const { random, target } = this.#options;
    const epoch = Math.floor(random.between(0, 3));
    return `${target.roomId}-${epoch}-${Math.floor(random.between(0, 4_000))}`;
  }

  #subscribe(destination: string, lastId: string): void {
    this.#subscriptions += 1;
    const id = `s${this.#subscriptions}`;
    this.#connection?.send('SUBSCRIBE', { id, destination, 'last-id': lastId });
    const old = `s${this.#subscriptions - 10}`;
    if (this.#subscriptions > 10) this.#connection?.send('UNSUBSCRIBE', { id: old });
  }

  #subscribeOtherRoom(): void {
    const { random, target } = this.#options;
    const { roomId } = target;
    const topic = random.pick(['/topic/messages', '/topic/presence', '/user/queue/notices']);
    const tail = random.pick([`/${roomId}`, `/0${roomId}`, '/*', `.${roomId}`, `/${roomId}/`]);
    this.#subscribe(topic + tail, this.#guess());
  }

  #guessLastId(): void {
    // A connection subscribes to a destination once.
    this.#connection?.send('UNSUBSCRIBE', { id: this.#guessed });
    this.#subscribe('/topic/messages', this.#guess());
    this.#guessed = `s${this.#subscriptions}`;
  }

  #sendThere(): void {
    const { random, learner, target } = this.#options;
    const destination = random.pick(['/pub/chat', `/pub/chat/${target.roomId}`]);
    const senderId = random.pick([learner.userId, target.userId]);
    const body = { senderId, roomId: target.roomId, content: Eavesdropper.MARK };
    this.#connection?.send('SEND', { destination }, JSON.stringify(body));
  }

  async #readHistory(): Promise<void> {
    const { port, learner } = this.#options;
    const answer = await fetch(
      `http://127.0.0.1:${port}/api/chat/messages?before=${this.#guess()}`,
      { headers: { authorization: `Bearer ${learner.token}` } },
    );
    if (answer.ok) this.#judge(await answer.text());
    else this.refused += 1;
  }

  #receive({ command, body }: StompFrame): void {
    if (command === 'CONNECTED') this.#subscribe('/topic/messages', '');
    else if (command === 'ERROR') this.refused += 1;
    else if (command === 'MESSAGE') this.#judge(body);
  }

  /** Nothing that they receive may name the other room. */
  #judge(body: string): void {
    this.received += 1;
    const rooms = [...body.matchAll(/"roomId":(\d+)/gu)].map(([, roomId]) => Number(roomId));
    if (rooms.some((roomId) => roomId !== this.#options.learner.roomId)) this.foreign += 1;
  }
}
