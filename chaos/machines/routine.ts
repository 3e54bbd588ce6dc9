import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../bench/support/random.ts';
import type { Actor } from '../support/actors.ts';

const PAUSE_MS = { from: 300, to: 900 };
const LOOK_EVERY_MS = 20;

/** A learner who does something, waits until the room sees it, rests for a moment, and does it again. */
export class Routine {
  readonly actor: Actor;
  readonly #room: readonly Actor[];
  readonly #random: Random;
  readonly #ended: Promise<void>;
  readonly #giving = new AbortController();
  #done = 0;
  #longestMs = 0;
  /** Of what is under way; null while it rests. */
  #begunAtMs: number | null = null;
  /** When the last that is done began. */
  #lastBegunAtMs = 0;
  #isFinishing = false;

  constructor(actor: Actor, room: readonly Actor[], random: Random) {
    this.actor = actor;
    this.#room = room;
    this.#random = random;
    this.#ended = this.#run();
  }

  get name(): string {
    const { operation, learner } = this.actor;
    return `${operation} of ${learner.userId}`;
  }

  /** What was acknowledged and seen. */
  get done(): number {
    return this.#done;
  }

  /** How long the slowest took since `restart`, also if it is still under way. */
  get longestMs(): number {
    const nowMs = performance.now();
    return Math.max(this.#longestMs, nowMs - (this.#begunAtMs ?? nowMs));
  }

  hasDoneSince(atMs: number): boolean {
    return this.#done > 0 && this.#lastBegunAtMs >= atMs;
  }

  /** Measures anew: what came before was the way into the room. */
  restart(): void {
    this.#done = 0;
    this.#longestMs = 0;
  }

  /** Does what is under way to its end, and no more. @param givesUp whether it is left where it is. */
  async finish(givesUp: boolean): Promise<void> {
    this.#isFinishing = true;
    if (givesUp) this.#giving.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#giving;
    const givenUp = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
    // Nobody waits for it while the learner rests.
    givenUp.catch(() => undefined);
    try {
      while (!this.#isFinishing) {
        const begunAtMs = performance.now();
        this.#begunAtMs = begunAtMs;
        await Promise.race([this.#act(), givenUp]);
        this.#begunAtMs = null;
        this.#longestMs = Math.max(this.#longestMs, performance.now() - begunAtMs);
        this.#lastBegunAtMs = begunAtMs;
        this.#done += 1;
        await delay(this.#random.between(PAUSE_MS.from, PAUSE_MS.to));
      }
    } catch {
      // Given up, or the run is over: whoever waits for it sees that nothing more was done.
    }
  }

  async #act(): Promise<void> {
    await this.actor.act();
    while (!this.actor.isSeenBy(this.#room)) {
      this.#giving.signal.throwIfAborted();
      await delay(LOOK_EVERY_MS);
    }
  }
}
