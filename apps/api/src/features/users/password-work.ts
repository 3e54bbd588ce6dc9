import { availableParallelism } from 'node:os';
import { passwordWork } from '@mogakgong/contract';
import { ApiError, addressBlock, type GuessOrigin } from '../../platform/http/index.ts';

interface Waiting {
  begin(): void;
  refuse(): void;
}

/** Those who wait, by browser or address block; the one whose turn is next comes first. */
type Lines = Map<string, Waiting[]>;

/** Half of the processors, so that everything else goes on. */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * Argon2 for so many passwords at once. Others wait: known browsers come first, then one of each address
 * block in turn. Refuses the last of the longest line when too many wait, and everybody who has waited
 * too long (decision 108).
 */
export class PasswordWork {
  readonly #known: Lines = new Map();
  readonly #strangers: Lines = new Map();
  #running = 0;
  #waiting = 0;

  /** @throws ApiError `unavailable`. */
  async do<Result>(origin: GuessOrigin, work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= AT_ONCE) await this.#wait(origin);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#takeNext(this.#known) ?? this.#takeNext(this.#strangers);
      if (next) next.begin();
      else this.#running -= 1;
    }
  }

  async #wait({ address, knownBrowser }: GuessOrigin): Promise<void> {
    const lines = knownBrowser === null ? this.#strangers : this.#known;
    const name = knownBrowser ?? addressBlock(address);
    if (this.#waiting >= passwordWork.waitingMax) this.#makeRoom(lines, name);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { begin: resolve, refuse: () => reject(refusal()) };
    lines.set(name, [...(lines.get(name) ?? []), waiting]);
    this.#waiting += 1;
    const giveUp = () => {
      this.#remove(lines, name, waiting);
      waiting.refuse();
    };
    const deadline = setTimeout(giveUp, passwordWork.waitMaxMs);
    await promise.finally(() => clearTimeout(deadline));
  }

  #takeNext(lines: Lines): Waiting | undefined {
    const [first] = lines;
    const next = first?.[1][0];
    if (!first || !next) return undefined;
    const [name, line] = first;
    lines.delete(name);
    if (line.length > 1) lines.set(name, line.slice(1));
    this.#waiting -= 1;
    return next;
  }

  /** A newcomer takes the place of the last in a longer line, a known browser that of any stranger. */
  #makeRoom(lines: Lines, name: string): void {
    const from = this.#strangers.size > 0 ? this.#strangers : this.#known;
    let [longest, length] = ['', 0];
    for (const [each, line] of from)
      if (line.length >= length) [longest, length] = [each, line.length];
    const own = from === lines ? (lines.get(name)?.length ?? 0) + 1 : 0;
    const last = from.get(longest)?.at(-1);
    if (!last || length <= own || (from === this.#known && lines === this.#strangers))
      throw refusal();
    this.#remove(from, longest, last);
    last.refuse();
  }

  #remove(lines: Lines, name: string, waiting: Waiting): void {
    const left = (lines.get(name) ?? []).filter((other) => other !== waiting);
    if (left.length > 0) lines.set(name, left);
    else lines.delete(name);
    this.#waiting -= 1;
  }
}

const refusal = () =>
  new ApiError('unavailable', { retryAfterSeconds: passwordWork.retryAfterSeconds });
