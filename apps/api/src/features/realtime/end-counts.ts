import type { EndReason } from '@mogakgong/stomp';

type Kind = EndReason['kind'];

/** Reasons for the end of a connection with a log-in. */
const KINDS: readonly Kind[] = [
  'disconnected',
  'connection-lost',
  'protocol-error',
  'refused',
  'failed',
  'silent',
  'slow-reader',
  'closed-by-application',
];

/** How many connections have ended, by reason. */
export class EndCounts {
  readonly #counts = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]));

  count(kind: Kind): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  get all(): ReadonlyMap<Kind, number> {
    return this.#counts;
  }
}
