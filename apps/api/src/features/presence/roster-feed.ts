import type {
  Member,
  PomodoroSchedule,
  PresenceChange,
  PresenceMessage,
  RoomId,
} from '@mogakgong/contract';

/** A numbered change as it travels between processes. */
export interface NumberedChange {
  readonly number: number;
  readonly change: PresenceChange;
}

/** A room as it is after the change of this number. */
export interface RoomSnapshot {
  readonly number: number;
  readonly members: readonly Member[];
  /** The schedule of the room, while it has one. */
  readonly pomodoro?: PomodoroSchedule;
}

interface RosterFeedParts {
  readonly roomId: RoomId;
  /** Sends to everybody who receives this room here. */
  readonly publish: (message: PresenceMessage) => void;
  readonly loadSnapshot: () => Promise<RoomSnapshot>;
  /** The clock that the members' clocks go by. */
  readonly nowMs: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** How long a change may be overtaken by later ones before it counts as lost. */
const OVERTAKEN_MS = 300;

/**
 * One room's changes on their way to its subscribers here, in the order of their numbers. A number
 * that does not come is made up for by a fresh snapshot: nobody ever continues behind a hole.
 */
export class RosterFeed {
  readonly #parts: RosterFeedParts;
  readonly #early = new Map<number, PresenceChange>();
  /** The number of the last change that went out; null before the first snapshot. */
  #number: number | null = null;
  #snapshot: Promise<void> | undefined;
  #repair: NodeJS.Timeout | undefined;

  constructor(parts: RosterFeedParts) {
    this.#parts = parts;
  }

  /** Takes a change that some process made. */
  receive({ number, change }: NumberedChange): void {
    if (this.#number !== null && number <= this.#number) return;
    this.#early.set(number, change);
    this.#advance();
  }

  /**
   * Gives the room as it is to a new subscriber. `take` runs in the same turn in which the snapshot
   * is known to be current: every change that goes out after it continues exactly there.
   */
  async giveSnapshot(take: (message: PresenceMessage) => void): Promise<void> {
    const snapshot = await this.#loadCurrent();
    const { number } = snapshot;
    const message = this.#snapshotMessage(snapshot);
    if (this.#number === null || this.#number < number) {
      // Those who listen already have not seen what this snapshot includes.
      if (this.#number !== null) this.#parts.publish(message);
      this.#number = number;
    }
    take(message);
    this.#advance();
  }

  /** Makes good for events that may have been missed. */
  refresh(): void {
    if (this.#number !== null) this.#repairNow();
  }

  /** Learns from the database how far the room is; a change that did not come is made up for. */
  noteNumber(number: number): void {
    if (this.#number !== null && number > this.#number) this.#repairAfter(OVERTAKEN_MS);
  }

  close(): void {
    clearTimeout(this.#repair);
    this.#early.clear();
  }

  /** A snapshot that is not older than what went out already. */
  async #loadCurrent() {
    for (;;) {
      const snapshot = await this.#parts.loadSnapshot();
      if (this.#number === null || snapshot.number >= this.#number) return snapshot;
    }
  }

  #advance(): void {
    if (this.#number === null) return;
    for (const number of this.#early.keys()) {
      if (number <= this.#number) this.#early.delete(number);
    }
    for (;;) {
      const next: number = this.#number + 1;
      const change = this.#early.get(next);
      if (!change) break;
      this.#early.delete(next);
      this.#number = next;
      this.#parts.publish({ kind: 'change', roomId: this.#parts.roomId, number: next, change });
    }
    clearTimeout(this.#repair);
    if (this.#early.size > 0) this.#repairAfter(OVERTAKEN_MS);
  }

  #repairAfter(ms: number): void {
    clearTimeout(this.#repair);
    this.#repair = setTimeout(() => this.#repairNow(), ms);
    this.#repair.unref();
  }

  #repairNow(): void {
    this.#snapshot ??= this.giveSnapshot(() => undefined)
      .catch((error: unknown) => this.#parts.onFailure(error))
      .finally(() => {
        this.#snapshot = undefined;
      });
  }

  #snapshotMessage({ members, ...snapshot }: RoomSnapshot) {
    return {
      kind: 'snapshot' as const,
      roomId: this.#parts.roomId,
      ...snapshot,
      members: [...members],
      serverNowMs: this.#parts.nowMs(),
    };
  }
}
