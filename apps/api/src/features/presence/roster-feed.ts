import type {
  Member,
  PomodoroSchedule,
  PresenceChange,
  PresenceMessage,
  RoomAbout,
  RoomId,
} from '@mogakgong/contract';
import { NumberedLog } from '../realtime/index.ts';

/** A numbered change, as sent between processes. */
export interface NumberedChange {
  readonly number: number;
  readonly change: PresenceChange;
}

/** The state of a room after the change of this number. */
export interface RoomSnapshot {
  readonly number: number;
  readonly members: readonly Member[];
  /** The schedule of the room, while it has one. */
  readonly pomodoro?: PomodoroSchedule;
  /** Set for a room that has a host. */
  readonly about?: RoomAbout;
}

interface RosterFeedParts {
  readonly roomId: RoomId;
  /** Sends to all subscribers of this room here. */
  readonly publish: (message: PresenceMessage) => void;
  /** Null: the room does not exist any more. */
  readonly loadSnapshot: () => Promise<RoomSnapshot | null>;
  /** The clock to which the members' clocks refer. */
  readonly nowMs: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** Longer than a change takes that needs a look-up of its member before it is published. */
const OVERTAKEN_MS = 300;
/** Maximum number of attempts to load a snapshot that is not older than delivered changes. */
const LOADS_MAX = 5;

/** One room's changes: a numbered log that repairs gaps by a fresh snapshot. */
export class RosterFeed {
  readonly #parts: RosterFeedParts;
  readonly #log: NumberedLog<NumberedChange>;

  constructor(parts: RosterFeedParts) {
    this.#parts = parts;
    const { roomId, publish, onFailure } = parts;
    this.#log = new NumberedLog({
      deliver: ({ number, change }) => publish({ kind: 'change', roomId, number, change }),
      fill: () => this.giveSnapshot(() => undefined),
      overtakenMs: OVERTAKEN_MS,
      onFailure,
    });
  }

  receive(changes: readonly NumberedChange[]): void {
    this.#log.receive(changes);
  }

  expectUpTo(number: number): void {
    this.#log.expectUpTo(number);
  }

  close(): void {
    this.#log.close();
  }

  /**
   * Passes the present room to `take` for a new subscriber, or nothing if the room was deleted. `take` runs
   * in the same turn in which the snapshot is known to be current: later changes continue exactly there.
   */
  async giveSnapshot(take: (message: PresenceMessage) => void): Promise<void> {
    const snapshot = await this.#loadCurrent();
    if (!snapshot) return;
    const message = this.#messageOf(snapshot);
    // Earlier subscribers have not received the changes that this snapshot includes.
    if (this.#log.moveTo(snapshot.number)) this.#parts.publish(message);
    take(message);
    this.#log.advance();
  }

  /** A snapshot that is not older than the delivered changes. */
  async #loadCurrent(): Promise<RoomSnapshot | null> {
    for (let load = 1; load <= LOADS_MAX; load += 1) {
      const snapshot = await this.#parts.loadSnapshot();
      if (!snapshot || snapshot.number >= this.#log.number) return snapshot;
    }
    throw new Error('the roster changes faster than it can be read');
  }

  #messageOf({ members, ...snapshot }: RoomSnapshot): PresenceMessage {
    return {
      kind: 'snapshot',
      roomId: this.#parts.roomId,
      ...snapshot,
      members: [...members],
      serverNowMs: this.#parts.nowMs(),
    };
  }
}
