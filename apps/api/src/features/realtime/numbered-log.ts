/** Has a place in an order that the database gives: 1, 2, 3 and so on. */
export interface Numbered {
  readonly number: number;
}

interface NumberedLogParts<Item> {
  /** Sends the item with the next number on. */
  readonly deliver: (item: Item) => void;
  /**
   * Reads from the database what did not come: later items, for `receive`, or a snapshot that
   * includes them, for `moveTo`.
   */
  readonly fill: () => Promise<void>;
  /** How long an item may be overtaken by later ones before it counts as lost. */
  readonly overtakenMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** How often logs look for items that nothing later has shown to be missing. */
export const FILL_HOLES_EVERY_MS = 2_000;
/** How long to wait after a fill that failed or brought nothing. */
const RETRY_MS = 1_000;

/**
 * What happens in one room, on its way to the subscribers in this process. The backplane may lose,
 * repeat and reorder items; the database has all of them. The rules, each with a test of its number:
 *
 * 1. Items are delivered in the order of their numbers, each once.
 * 2. Nothing is delivered before the first snapshot; what comes earlier waits for it.
 * 3. A missing number is filled after `overtakenMs`, whatever comes meanwhile.
 * 4. A number that the database names counts like an item that came: it shows that the last is missing.
 * 5. A snapshot stands for all items up to its number; one that is not ahead changes nothing.
 * 6. All who ask for a fill while one is under way share it. One that fails or brings nothing is
 *    repeated after a second, and only while something is missing.
 * 7. A closed log delivers nothing and asks for nothing.
 */
export class NumberedLog<Item extends Numbered> {
  readonly #parts: NumberedLogParts<Item>;
  readonly #early = new Map<number, Item>();
  /** The last number that went out; null before the first snapshot. */
  #number: number | null = null;
  /** The last number that is known to exist. */
  #highest = 0;
  #repair: NodeJS.Timeout | undefined;
  /** Behind this number the hole is that `#repair` waits for. */
  #holeBehind = 0;
  #filling: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: NumberedLogParts<Item>) {
    this.#parts = parts;
  }

  /** The number of the last item that went out, by itself or in a snapshot; 0 before. */
  get number(): number {
    return this.#number ?? 0;
  }

  /** Takes items that some process published. */
  receive(items: readonly Item[]): void {
    for (const item of items) {
      if (this.#number !== null && item.number <= this.#number) continue;
      this.#early.set(item.number, item);
      this.#highest = Math.max(this.#highest, item.number);
    }
    this.advance();
  }

  /** Takes the last number that the database has given. */
  expectUpTo(number: number): void {
    this.#highest = Math.max(this.#highest, number);
    this.advance();
  }

  /**
   * Continues behind a snapshot; to be followed by `advance`, when the snapshot is on its way.
   * @returns whether it is ahead of what went out.
   */
  moveTo(number: number): boolean {
    if (this.#number !== null && number <= this.#number) return false;
    this.#number = number;
    for (const early of this.#early.keys()) if (early <= number) this.#early.delete(early);
    return true;
  }

  /** Delivers what is next; waits for what is missing. */
  advance(): void {
    if (this.#number === null || this.#isClosed) return;
    for (let next = this.#early.get(this.#number + 1); next; ) {
      this.#early.delete(next.number);
      this.#number = next.number;
      this.#parts.deliver(next);
      next = this.#early.get(next.number + 1);
    }
    const isNewHole = !this.#repair || this.#holeBehind !== this.#number;
    if (this.#highest <= this.#number) this.#stopWaiting();
    else if (isNewHole) this.#fillAfter(this.#parts.overtakenMs);
  }

  /** Reads what did not come. */
  fill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
    this.#early.clear();
  }

  async #fill(): Promise<void> {
    if (this.#isClosed) return;
    const before = this.#number;
    try {
      await this.#parts.fill();
      // What the database does not give is gone for good.
      if (this.#number === before) this.#highest = Math.max(0, ...this.#early.keys());
    } catch (error) {
      this.#parts.onFailure(error);
    }
    if (this.#number !== before || this.#isClosed) return;
    this.#stopWaiting();
    if (this.#highest > this.number) this.#fillAfter(RETRY_MS);
  }

  #fillAfter(ms: number): void {
    this.#stopWaiting();
    this.#holeBehind = this.number;
    this.#repair = setTimeout(() => void this.fill(), ms).unref();
  }

  #stopWaiting(): void {
    clearTimeout(this.#repair);
    this.#repair = undefined;
  }
}
