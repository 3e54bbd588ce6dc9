import { type BoardElement, supersedes } from '@mogakgong/contract';
import {
  type Batch,
  type BatchSize,
  isSame,
  isWaiting,
  nextBatch,
  type OwnChange,
} from './board-batch.ts';
import { fitting } from './element-size.ts';

/** An own change as it is kept over a reload. */
export interface UnsentChange {
  readonly element: BoardElement;
  readonly isNew: boolean;
}

/**
 * The surface makes a text before its first character, and undo goes back to that. Others are shown nothing
 * of it: as an element it would count, and nobody could delete it.
 */
const isEmptyText = ({ type, text }: BoardElement) => type === 'text' && text === '';

/**
 * The elements of a board as the server has them, as this learner changed them, and as the drawing surface
 * shows them. An element that is being edited stays as it is on the surface; when that ends, what was edited
 * has precedence over what others did meanwhile.
 */
export class BoardElements {
  /** The elements to show, without deleted ones; another map after each change. */
  shown: ReadonlyMap<string, BoardElement> = new Map();
  readonly #known = new Map<string, BoardElement>();
  /** Up to which change `#known` is the server's board. */
  #number = 0;
  readonly #own = new Map<string, OwnChange>();
  /** The elements of the surface, deleted ones too. */
  readonly #onSurface = new Map<string, BoardElement>();
  #editing: ReadonlySet<string> = new Set();
  /** Own changes that were refused while they were being edited. */
  readonly #refused = new Set<string>();

  /**
   * Takes what the surface reports; elements it has not changed since are no change.
   * @returns what the surface must show instead.
   */
  changed(elements: readonly BoardElement[]): readonly BoardElement[] {
    const changed = elements
      .filter((element) => {
        const before = this.#onSurface.get(element.id);
        return before === undefined || !isSame(before, element);
      })
      // The surface changes its elements in their place: what is kept here must stay as it is now.
      .map((element) => ({ ...element, isDeleted: element.isDeleted || isEmptyText(element) }));
    for (const element of changed) {
      this.#onSurface.set(element.id, element);
      this.#edit(element);
    }
    return this.#settle(changed.map(({ id }) => id));
  }

  /** Takes which elements are being edited, like `changed`. */
  setEditing(ids: Iterable<string>): readonly BoardElement[] {
    const before = this.#editing;
    this.#editing = new Set(ids);
    const ended = [...before].filter((id) => !this.#editing.has(id));
    for (const id of ended) this.#endEditing(id);
    return this.#settle(ended);
  }

  /** Takes what has changed on the server since what was taken before, up to this number. */
  take(elements: readonly BoardElement[], number: number): readonly BoardElement[] {
    this.#number = number;
    for (const element of elements) this.#takeOne(element);
    return this.#settle(new Set([...elements.map(({ id }) => id), ...this.#own.keys()]));
  }

  /**
   * Takes all that there is on the server.
   * @param keepsChanges whether it is the board on which the own changes were made; else only new elements
   *   stay, to be sent to this one.
   */
  takeWhole(
    elements: readonly BoardElement[],
    number: number,
    keepsChanges: boolean,
  ): readonly BoardElement[] {
    this.#number = number;
    const present = new Set(elements.map(({ id }) => id));
    for (const [id, { isNew, confirmedNumber }] of this.#own) {
      const isKept = isNew || (keepsChanges && confirmedNumber === null);
      if (!isKept) this.#own.delete(id);
    }
    if (!keepsChanges)
      for (const { element, isNew } of this.#own.values()) this.#renew(element, isNew);
    const gone = [...this.#known.keys(), ...this.#onSurface.keys()];
    this.#known.clear();
    for (const element of elements) this.#takeOne(element);
    return this.#settle(new Set([...gone, ...present]));
  }

  /** Takes changes that an earlier page of this tab did not send. */
  restore(changes: readonly UnsentChange[]): readonly BoardElement[] {
    for (const { element, isNew } of changes) {
      if (!this.#own.has(element.id)) this.#renew(element, isNew);
    }
    return this.#settle(changes.map(({ element }) => element.id));
  }

  /** Elements that are not known to be on the server. */
  get unsent(): readonly UnsentChange[] {
    return [...this.#own.values()]
      .filter(({ confirmedNumber }) => confirmedNumber === null)
      .map(({ element, isNew }) => ({ element, isNew }));
  }

  /** Drops what was not sent; whether there was anything. */
  dropOwn(): boolean {
    const hadUnsent = this.unsent.length > 0;
    this.#own.clear();
    return hadUnsent;
  }

  /** When the next batch is due (`performance.now()`); null while nothing waits. */
  get dueAtMs(): number | null {
    const times = this.#waiting().map(({ dueAtMs }) => dueAtMs);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The elements to send now, as many as fit; they count as sent. */
  nextBatch(nowMs: number, most: BatchSize): Batch {
    const { batch, tried } = nextBatch(this.#waiting(), this.#editing, nowMs, most);
    for (const change of tried) this.#own.set(change.element.id, change);
    return batch;
  }

  /** From this number on the server's board includes these, or later states. */
  confirm(sent: readonly BoardElement[], number: number): readonly BoardElement[] {
    for (const element of sent) {
      const change = this.#own.get(element.id);
      if (!change) continue;
      const confirmedNumber = isSame(change.element, element) ? number : null;
      this.#own.set(element.id, { ...change, isNew: false, confirmedNumber });
    }
    return this.#settle(sent.map(({ id }) => id));
  }

  /** Nobody knows whether these arrived. */
  sendAgain(sent: readonly BoardElement[]): void {
    for (const element of sent) {
      const change = this.#own.get(element.id);
      if (!change?.sent || !isSame(change.sent, element)) continue;
      this.#own.set(element.id, { ...change, sent: null });
    }
  }

  /** The server does not take these: the surface shows what was there before. */
  takeBack(refused: readonly BoardElement[]): readonly BoardElement[] {
    for (const element of refused) {
      const change = this.#own.get(element.id);
      if (!change || !isSame(change.element, element)) continue;
      if (this.#editing.has(element.id)) {
        this.#refused.add(element.id);
        this.#own.set(element.id, { ...change, sent: null });
      } else {
        this.#own.delete(element.id);
      }
    }
    return this.#settle(refused.map(({ id }) => id));
  }

  #waiting(): readonly OwnChange[] {
    return [...this.#own.values()].filter(
      (change) => isWaiting(change) && !this.#refused.has(change.element.id),
    );
  }

  #edit(element: BoardElement): void {
    const { id, isDeleted } = element;
    const own = this.#own.get(id);
    const isUnknownElsewhere = !this.#known.has(id) && own?.wasSent !== true;
    if (isDeleted && isUnknownElsewhere) this.#own.delete(id);
    else this.#setOwn(this.#above(this.#asKept(element)), own?.isNew ?? !this.#known.has(id));
  }

  /** A stroke that is too long is simplified when it is finished, so that its author has what others get. */
  #asKept(element: BoardElement): BoardElement {
    if (element.isDeleted || this.#editing.has(element.id)) return element;
    const fits = fitting(element);
    return fits === null || fits === element ? element : { ...fits, version: element.version + 1 };
  }

  /** An edit is made on what the surface shows, and follows all that is known of the element. */
  #above(element: BoardElement): BoardElement {
    const { id } = element;
    const before = [this.#own.get(id)?.element, this.#known.get(id)].filter((each) => each != null);
    if (before.every((each) => supersedes(element, each))) return element;
    return { ...element, version: Math.max(...before.map(({ version }) => version)) + 1 };
  }

  #setOwn(element: BoardElement, isNew: boolean): void {
    const { sent = null, wasSent = false, dueAtMs = 0 } = this.#own.get(element.id) ?? {};
    const change = { element, isNew, sent, wasSent, dueAtMs, confirmedNumber: null };
    this.#own.set(element.id, change);
  }

  /** To be sent at once, whatever was sent of it before. */
  #renew(element: BoardElement, isNew: boolean): void {
    const change = { element, isNew, sent: null, wasSent: true, dueAtMs: 0, confirmedNumber: null };
    this.#own.set(element.id, change);
  }

  #endEditing(id: string): void {
    const own = this.#own.get(id);
    const known = this.#known.get(id);
    this.#refused.delete(id);
    if (!own) return;
    this.#own.set(id, { ...own, dueAtMs: 0 });
    const edited = this.#asKept(own.element);
    const isLost = known && !isSame(edited, known) && !supersedes(edited, known);
    if (edited !== own.element || isLost) this.#renew(this.#above(edited), own.isNew);
  }

  #takeOne(element: BoardElement): void {
    this.#known.set(element.id, element);
    const own = this.#own.get(element.id);
    if (own?.isNew) this.#own.set(element.id, { ...own, isNew: false });
  }

  /** Drops own changes that the server has or that lost; what the surface must show instead of what it has. */
  #settle(ids: Iterable<string>): readonly BoardElement[] {
    const toShow: BoardElement[] = [];
    const shown = new Map(this.shown);
    for (const id of ids) {
      const isEdited = this.#editing.has(id);
      const known = this.#known.get(id);
      const own = this.#own.get(id);
      if (own && !isEdited && this.#isOver(own, known)) this.#own.delete(id);
      const element = this.#own.get(id)?.element ?? known;
      if (element && !element.isDeleted) shown.set(id, element);
      else shown.delete(id);
      const next = isEdited ? null : this.#nextOnSurface(id, element);
      if (next) {
        this.#onSurface.set(id, next);
        toShow.push(next);
      }
    }
    this.shown = shown;
    return toShow;
  }

  /** The server's state is that of the change, or has precedence over it. */
  #isOver({ element, confirmedNumber }: OwnChange, known: BoardElement | undefined): boolean {
    if (known && !supersedes(element, known)) return true;
    return confirmedNumber !== null && confirmedNumber <= this.#number;
  }

  /** The elements that the surface is to show instead of its own, or null. */
  #nextOnSurface(id: string, element: BoardElement | undefined): BoardElement | null {
    const present = this.#onSurface.get(id);
    if (element === undefined) {
      return present && !present.isDeleted
        ? { ...present, isDeleted: true, version: present.version + 1 }
        : null;
    }
    const isShown = present?.isDeleted === element.isDeleted && isSame(present, element);
    if (present ? isShown : element.isDeleted) return null;
    // Of a deleted element the server keeps no more than that.
    return element.isDeleted ? { ...present, ...element } : element;
  }
}
