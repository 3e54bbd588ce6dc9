import { FORGIVEN_SILENCE_MS, type UserId } from '@mogakgong/contract';
import { type BatchesApart, createBatcher } from '../../platform/batch/index.ts';
import type { RealtimeHub } from '../realtime/index.ts';
import type { RoomsService, SignOfLife, SilentSeat } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { FocusService } from './focus.service.ts';

/** A reload closes one connection and opens another: only a longer gap is shown to the room. */
const LOST_AFTER_MS = 3_000;
const BATCH_SIZE = 2_000;
/** Nobody waits for these records: when thousands return, they share a write every three seconds. */
const recordsApart: BatchesApart = (changes) => Math.min(3_000, 25 * changes);

export interface SeatLifeUses {
  readonly hub: RealtimeHub;
  readonly rooms: RoomsService;
  readonly focus: FocusService;
}

interface ConnectionChange {
  readonly userId: UserId;
  readonly isConnected: boolean;
}

/**
 * Records the life of a seat from taking it to giving it up, as its connections show it:
 *
 * | event | stored |
 * | --- | --- |
 * | a connection opens, or ends | a sign of life, to the moment; after 3 s without a connection "lost" |
 * | every 10 s, in each process | signs of all learners connected there (`recordConnected`) |
 * | every 10 s, in one process | learners silent for 90 s are "lost", then away (`findSilent`) |
 * | the next sign of life | "came back"; how the silence counts (`FocusService`) |
 * | 10 min of silence | the seat is given up (`rooms/silent-seats.ts`) |
 */
export class SeatLife {
  readonly #parts: AppContext & SeatLifeUses;
  readonly #lost = new Map<UserId, NodeJS.Timeout>();
  readonly #nextSilent: () => Promise<readonly SilentSeat[]>;
  readonly #recordSign: (sign: SignOfLife) => Promise<void>;
  readonly #recordConnection: (change: ConnectionChange) => Promise<void>;
  readonly #underWay = new Set<Promise<void>>();
  #isClosed = false;

  constructor(parts: AppContext & SeatLifeUses) {
    this.#parts = parts;
    const { hub, rooms, clock } = parts;
    this.#nextSilent = rooms.createSilenceSweep(FORGIVEN_SILENCE_MS);
    this.#recordSign = createBatcher(
      async (signs) => {
        await rooms.recordSigns(latestOfEach(signs), 0);
        return signs.map(() => undefined);
      },
      BATCH_SIZE,
      recordsApart,
    );
    this.#recordConnection = createBatcher(
      async (changes) => {
        await this.#setConnected(changes);
        return changes.map(() => undefined);
      },
      BATCH_SIZE,
      recordsApart,
    );
    hub.onArrival((userId) => {
      clearTimeout(this.#lost.get(userId));
      this.#lost.delete(userId);
      this.#report(this.#recordSign({ userId, at: clock.now() }));
      this.#report(this.#recordConnection({ userId, isConnected: true }));
    });
    hub.onDeparture((userId, quietMs) => this.#depart(userId, quietMs));
  }

  /** Repeated in each process: records the learners connected here as alive. */
  async recordConnected(keptMs?: number): Promise<void> {
    const { hub, rooms, clock } = this.#parts;
    const here = [...hub.userIds];
    if (here.length === 0) return;
    const nowMs = clock.now().getTime();
    const signs = here.map((userId) => ({ userId, at: new Date(nowMs - hub.quietMsOf(userId)) }));
    await rooms.recordSigns(signs, keptMs);
    // Repeats an arrival that could not be recorded.
    await rooms.setConnected(here, true);
  }

  /** Repeated in one process of the site: sets learners after a long silence to "lost" and away. */
  async findSilent(): Promise<void> {
    const { rooms, focus } = this.#parts;
    const silent = (await this.#nextSilent()).filter(({ isConnected }) => isConnected);
    const userIds = silent.map(({ userId }) => userId);
    if (userIds.length > 0) await rooms.setConnected(userIds, false);
    await focus.sweep();
  }

  /** Corrects "lost" if another process has set it for a learner connected here. */
  correctLost(userId: UserId): void {
    if (!this.#parts.hub.isConnected(userId)) return;
    this.#report(this.#recordConnection({ userId, isConnected: true }));
  }

  /** Stores the last signs of life of the learners connected here. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#lost.values()) clearTimeout(timer);
    await this.recordConnected(0).catch((error: unknown) =>
      this.#parts.logger.warn({ err: error }, 'could not store the last signs of life'),
    );
    // Learners with connections closed just before.
    await Promise.all(this.#underWay);
  }

  #depart(userId: UserId, quietMs: number): void {
    if (this.#isClosed) return;
    const at = new Date(this.#parts.clock.now().getTime() - quietMs);
    this.#report(this.#recordSign({ userId, at }));
    const timer = setTimeout(() => {
      this.#lost.delete(userId);
      this.#report(this.#recordConnection({ userId, isConnected: false }));
    }, LOST_AFTER_MS);
    timer.unref();
    this.#lost.set(userId, timer);
  }

  /** The last change of a learner counts. */
  async #setConnected(changes: readonly ConnectionChange[]): Promise<void> {
    const latest = new Map(changes.map(({ userId, isConnected }) => [userId, isConnected]));
    for (const isConnected of [false, true]) {
      const userIds = [...latest].filter(([, is]) => is === isConnected).map(([userId]) => userId);
      if (userIds.length > 0) await this.#parts.rooms.setConnected(userIds, isConnected);
    }
  }

  #report(recorded: Promise<void>): void {
    const done = recorded
      .catch((error: unknown) =>
        this.#parts.logger.error({ err: error }, 'could not record the change of a connection'),
      )
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }
}

function latestOfEach(signs: readonly SignOfLife[]): SignOfLife[] {
  const latest = new Map<UserId, SignOfLife>();
  for (const sign of signs) {
    const known = latest.get(sign.userId);
    if (!known || known.at < sign.at) latest.set(sign.userId, sign);
  }
  return [...latest.values()];
}
