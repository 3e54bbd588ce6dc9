import type { ReactionChange } from '@mogakgong/contract';
import { type Gathering, NumberedLog } from '../realtime/index.ts';
import type { ReactionChanges } from './reactions.repository.ts';

/** A change on its way through the backplane. */
export interface ReactionEvent extends ReactionChange {
  readonly epoch: number;
}

interface ReactionFeedParts {
  readonly gathering: Gathering;
  /** Sends to all subscribers of this room here. */
  readonly publish: (change: ReactionChange) => void;
  readonly loadNumber: (gathering: Gathering) => Promise<number>;
  readonly loadSince: (gathering: Gathering, number: number) => Promise<ReactionChanges>;
  readonly onFailure: (error: unknown) => void;
}

/** How long a change may be overtaken by later ones before it is read from the database. */
const OVERTAKEN_MS = 50;

/** The changes of reactions in one gathering: a numbered log that is filled from their rows. */
export class ReactionFeed {
  readonly #parts: ReactionFeedParts;
  readonly #log: NumberedLog<ReactionChange>;
  #ready: Promise<void> | undefined;

  constructor(parts: ReactionFeedParts) {
    this.#parts = parts;
    this.#log = new NumberedLog({
      deliver: parts.publish,
      fill: () => this.#fill(),
      overtakenMs: OVERTAKEN_MS,
      onFailure: parts.onFailure,
    });
  }

  /** Of the last change that was delivered. */
  get number(): number {
    return this.#log.number;
  }

  /** Resolves when deliveries have begun. A failure rejects all waiting calls; the next caller retries. */
  ready(): Promise<void> {
    this.#ready ??= this.#begin().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** Takes changes stored by any process; those of another gathering are ignored. */
  receive(events: readonly ReactionEvent[]): void {
    const ofThis = events.filter(({ epoch }) => epoch === this.#parts.gathering.epoch);
    this.#log.receive(ofThis.map(({ epoch: _epoch, ...change }) => change));
  }

  expectUpTo(number: number): void {
    this.#log.expectUpTo(number);
  }

  close(): void {
    this.#log.close();
  }

  async #begin(): Promise<void> {
    this.#log.moveTo(await this.#parts.loadNumber(this.#parts.gathering));
    this.#log.advance();
  }

  /** A row has the last change of its learner only: earlier ones that were missed are superseded. */
  async #fill(): Promise<void> {
    const { gathering, loadSince, publish } = this.#parts;
    const { number, changes } = await loadSince(gathering, this.#log.number);
    const isNew = changes.filter((change) => change.number > this.#log.number);
    if (!this.#log.moveTo(number)) return;
    for (const change of isNew) publish(change);
    this.#log.advance();
  }
}
