import { availableParallelism } from 'node:os';
import { passwordWork } from '@mogakgong/contract';
import { ApiError, type GuessOrigin, networksOf } from '../../platform/http/index.ts';

interface Waiting {
  begin(): void;
  refuse(): void;
}

/** Waiting passwords, by account or network; the next one comes first. */
type Lines = Map<string, Waiting[]>;

/** Where a password comes from. */
export interface PasswordOrigin extends GuessOrigin {
  /** A new account's: it waits behind those of accounts. */
  readonly isSignUp?: true;
}

/** Half of the processors, so that everything else goes on. */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * Argon2 for so many passwords at once. Others wait: known browsers and strangers alternate, sign-ups get
 * every third turn at most while others wait; among each, one of each account or network in turn. Refuses
 * the last of the longest line when too many wait, and each that has waited too long (decision 108).
 */
export class PasswordWork {
  readonly #known: Lines = new Map();
  readonly #strangers: Lines = new Map();
  readonly #signUps: Lines = new Map();
  #running = 0;
  #turn = 0;

  /** @throws ApiError `unavailable`. */
  async do<Result>(origin: PasswordOrigin, work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= AT_ONCE) await this.#wait(origin);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#takeNext();
      if (next) next.begin();
      else this.#running -= 1;
    }
  }

  async #wait({ address, knownBrowser, isSignUp }: PasswordOrigin): Promise<void> {
    const strangers = isSignUp ? this.#signUps : this.#strangers;
    const lines = knownBrowser === null ? strangers : this.#known;
    const name = String(knownBrowser?.userId ?? networksOf(address).site);
    makeRoom(lines, name);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { begin: resolve, refuse: () => reject(refusal()) };
    lines.set(name, [...(lines.get(name) ?? []), waiting]);
    const giveUp = () => {
      remove(lines, name, waiting);
      waiting.refuse();
    };
    const deadline = setTimeout(giveUp, passwordWork.waitMaxMs);
    await promise.finally(() => clearTimeout(deadline));
  }

  #takeNext(): Waiting | undefined {
    const turn = this.#turn;
    this.#turn += 1;
    const logIns = [this.#known, this.#strangers];
    if (turn % 2 === 1) logIns.reverse();
    const inOrder = turn % 3 === 2 ? [this.#signUps, ...logIns] : [...logIns, this.#signUps];
    const lines = inOrder.find(({ size }) => size > 0);
    return lines && takeFirst(lines);
  }
}

/** Takes the first of the first line, which goes to the end of the lines. */
function takeFirst(lines: Lines): Waiting | undefined {
  const [first] = lines;
  if (!first) return undefined;
  const [name, [next, ...others]] = first;
  lines.delete(name);
  if (others.length > 0) lines.set(name, others);
  return next;
}

/** A newcomer takes the place of the last in a longer line, if too many wait. */
function makeRoom(lines: Lines, name: string): void {
  let waiting = 0;
  let [longest, length] = ['', 0];
  for (const [each, line] of lines) {
    waiting += line.length;
    if (line.length >= length) [longest, length] = [each, line.length];
  }
  if (waiting < passwordWork.waitingMax) return;
  const last = lines.get(longest)?.at(-1);
  if (!last || length <= (lines.get(name)?.length ?? 0) + 1) throw refusal();
  remove(lines, longest, last);
  last.refuse();
}

function remove(lines: Lines, name: string, waiting: Waiting): void {
  const left = (lines.get(name) ?? []).filter((other) => other !== waiting);
  if (left.length > 0) lines.set(name, left);
  else lines.delete(name);
}

const refusal = () =>
  new ApiError('unavailable', { retryAfterSeconds: passwordWork.retryAfterSeconds });
