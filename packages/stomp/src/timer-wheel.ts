import type { Clock } from './clock.ts';

const SLOTS = 256;
const STALL_MS = 2_000;

/** An entry with at most one due time. The links belong to the wheel. */
export interface WheelEntry {
  /** Called when the entry is due; may schedule it again. */
  onDue(nowMs: number): void;
  wheelDueMs: number;
  wheelPrevious: WheelEntry | undefined;
  wheelNext: WheelEntry | undefined;
  /** Its slot, or -1. */
  wheelSlot: number;
}

/**
 * One timer for the due times of all sessions (a timer a socket doubles the cost of an idle one).
 * Entries are kept in a ring of slots as linked lists, so that adding, moving and removing cost the
 * same whatever their number, and allocate nothing. An entry due beyond the ring is checked once
 * per turn. It fires at most one tick late, never early.
 */
export class TimerWheel {
  readonly tickMs: number;
  readonly #clock: Clock;
  readonly #slots: (WheelEntry | undefined)[] = new Array(SLOTS).fill(undefined);
  #turnedTo = 0;
  #size = 0;
  #stop: (() => void) | undefined;
  #wokeMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, tickMs: number) {
    this.#clock = clock;
    this.tickMs = tickMs;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * When the process last resumed after a long stop (a suspended machine, a blocked loop). Data that arrived
   * meanwhile is still unread, so silence counts only from here.
   */
  get wokeMs(): number {
    return this.#wokeMs;
  }

  /** Schedules or reschedules the entry. */
  schedule(entry: WheelEntry, dueMs: number): void {
    this.remove(entry);
    if (this.#size === 0) this.#start();
    this.#size += 1;
    entry.wheelDueMs = dueMs;
    this.#hang(entry);
  }

  remove(entry: WheelEntry): void {
    if (entry.wheelSlot === -1) return;
    this.#unhang(entry);
    this.#size -= 1;
    if (this.#size === 0) {
      this.#stop?.();
      this.#stop = undefined;
    }
  }

  #start(): void {
    this.#turnedTo = this.#tickOf(this.#clock.nowMs());
    this.#stop = this.#clock.repeat(() => this.#turn(), this.tickMs);
  }

  #tickOf(timeMs: number): number {
    return Math.floor(timeMs / this.tickMs);
  }

  #hang(entry: WheelEntry): void {
    // Rounded up, so that no entry fires early; at most one turn ahead, at least one tick.
    const dueTick = Math.ceil(entry.wheelDueMs / this.tickMs);
    const tick = Math.min(Math.max(dueTick, this.#turnedTo + 1), this.#turnedTo + SLOTS - 1);
    const slot = tick % SLOTS;
    const first = this.#slots[slot];
    entry.wheelSlot = slot;
    entry.wheelPrevious = undefined;
    entry.wheelNext = first;
    if (first) first.wheelPrevious = entry;
    this.#slots[slot] = entry;
  }

  #unhang(entry: WheelEntry): void {
    if (entry.wheelPrevious) entry.wheelPrevious.wheelNext = entry.wheelNext;
    else this.#slots[entry.wheelSlot] = entry.wheelNext;
    if (entry.wheelNext) entry.wheelNext.wheelPrevious = entry.wheelPrevious;
    entry.wheelPrevious = undefined;
    entry.wheelNext = undefined;
    entry.wheelSlot = -1;
  }

  /** After a long pause of the process at most one whole turn is processed: it covers every slot. */
  #turn(): void {
    const nowMs = this.#clock.nowMs();
    const nowTick = this.#tickOf(nowMs);
    if ((nowTick - this.#turnedTo) * this.tickMs >= STALL_MS) this.#wokeMs = nowMs;
    const behind = Math.min(nowTick - this.#turnedTo, SLOTS);
    for (let tick = nowTick - behind + 1; tick <= nowTick; tick += 1) {
      this.#turnedTo = Math.max(this.#turnedTo, tick);
      this.#visit(tick % SLOTS, nowMs);
    }
  }

  #visit(slot: number, nowMs: number): void {
    const due: WheelEntry[] = [];
    for (let entry = this.#slots[slot]; entry; entry = entry.wheelNext) due.push(entry);
    for (const entry of due) {
      // An earlier entry of this slot may have removed or moved this one.
      if (entry.wheelSlot !== slot) continue;
      if (entry.wheelDueMs <= nowMs) {
        this.remove(entry);
        entry.onDue(nowMs);
      } else {
        this.#unhang(entry);
        this.#hang(entry);
      }
    }
  }
}
