/** Has a place in an order that the database assigns: 1, 2, 3 and so on. */
export interface Numbered {
  readonly number: number;
}

interface NumberedLogParts<Item> {
  /** Delivers the item with the next number. */
  readonly deliver: (item: Item) => void;
  /**
   * Reads missing items from the database: later items, for `receive`, or a snapshot that includes them, for
   * `moveTo`.
   */
  readonly fill: () => Promise<void>;
  /** How long an item may be overtaken by later ones before it counts as lost. */
  readonly overtakenMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** How long to wait after a fill that failed or brought nothing. */
const RETRY_MS = 1_000;

/**
 * The events of one room, on their way to the subscribers in this process. The backplane may lose,
 * repeat and reorder items; the database has all of them. The rules, each with a test of its number:
 *
 * 1. Items are delivered in the order of their numbers, each once.
 * 2. Nothing is delivered before the first snapshot; earlier items wait for it.
 * 3. A missing number is filled after `overtakenMs`, whatever arrives meanwhile.
 * 4. A number from the database counts like a received item: it shows that the last one is missing.
 * 5. A snapshot replaces all items up to its number; one that is not ahead changes nothing.
 * 6. Calls for a fill while one is running share it. One that fails or brings nothing is repeated after a
 * second, and only while something is missing.
 * 7. A closed log delivers nothing and asks for nothing.
 */
export class NumberedLog<Item extends Numbered> {
  readonly #parts: NumberedLogParts<Item>;
  readonly #early = new Map<number, Item>();
  /** The last delivered number; null before the first snapshot. */
  #number: number | null = null;
  /** The last number that is known to exist. */
  #highest = 0;
  #repair: NodeJS.Timeout | undefined;
  /** The number before the gap that `#repair` waits for. */
  #holeBehind = 0;
  #filling: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: NumberedLogParts<Item>) {
    this.#parts = parts;
  }

  /** The number of the last delivered item, by itself or in a snapshot; 0 before. */
  get number(): number {
    return this.#number ?? 0;
  }

  /** Takes items published by any process. */
  receive(items: readonly Item[]): void {
    for (const item of items) {
      if (this.#number !== null && item.number <= this.#number) continue;
      this.#early.set(item.number, item);
      this.#highest = Math.max(this.#highest, item.number);
    }
    this.advance();
  }

  /** Takes the last number assigned by the database. */
  expectUpTo(number: number): void {
    this.#highest = Math.max(this.#highest, number);
    this.advance();
  }

  /**
   * Continues after a snapshot; to be followed by `advance`, once the snapshot is sent.
   * @returns whether it is ahead of the delivered items.
   */
  moveTo(number: number): boolean {
    if (this.#number !== null && number <= this.#number) return false;
    this.#number = number;
    for (const early of this.#early.keys()) if (early <= number) this.#early.delete(early);
    return true;
  }

  /** Delivers the next items; waits for missing ones. */
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

  /** Reads missing items. */
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
      // An item that is not in the database either is lost for good.
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
