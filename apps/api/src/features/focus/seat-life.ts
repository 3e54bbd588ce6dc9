import { FORGIVEN_SILENCE_MS, type UserId } from '@mogakgong/contract';
import { arrivalBatches, createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { RealtimeHub } from '../../platform/realtime/index.ts';
import type { RoomsService, SignOfLife } from '../rooms/index.ts';
import type { FocusService } from './focus.service.ts';

/** A reload closes one connection and opens another: only a longer gap is shown to the room. */
const LOST_AFTER_MS = 3_000;
const BATCH_SIZE = 500;

interface SeatLifeParts {
  readonly hub: RealtimeHub;
  readonly rooms: RoomsService;
  readonly focus: FocusService;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface ConnectionChange {
  readonly userId: UserId;
  readonly isConnected: boolean;
}

/**
 * The life of a seat between being taken and given up, as it follows from connections:
 *
 * | when | what is stored |
 * | --- | --- |
 * | a connection opens, or ends | a sign of life, to the moment; after 3 s without one "lost" |
 * | every 10 s, in each process | signs of all who are connected there (`noteConnected`) |
 * | every 10 s, in one process | who was silent for 90 s is "lost" and away (`findSilent`) |
 * | the next sign of life | "came back"; what the silence was (`FocusService`) |
 * | 10 min of silence | the seat is given up (`RoomsService.giveUpSilentSeats`) |
 */
export class SeatLife {
  readonly #parts: SeatLifeParts;
  readonly #lost = new Map<UserId, NodeJS.Timeout>();
  readonly #noteSign: (sign: SignOfLife) => Promise<void>;
  readonly #noteConnection: (change: ConnectionChange) => Promise<void>;
  #isClosed = false;

  constructor(parts: SeatLifeParts) {
    this.#parts = parts;
    const { hub, rooms, clock } = parts;
    this.#noteSign = createBatcher(
      async (signs) => {
        await rooms.noteSigns(latestOfEach(signs), 0);
        return signs.map(() => undefined);
      },
      BATCH_SIZE,
      arrivalBatches,
    );
    this.#noteConnection = createBatcher(
      async (changes) => {
        await this.#setConnected(changes);
        return changes.map(() => undefined);
      },
      BATCH_SIZE,
      arrivalBatches,
    );
    hub.onArrival((userId) => {
      clearTimeout(this.#lost.get(userId));
      this.#lost.delete(userId);
      this.#report(this.#noteSign({ userId, at: clock.now() }));
      this.#report(this.#noteConnection({ userId, isConnected: true }));
    });
    hub.onDeparture((userId, quietMs) => this.#depart(userId, quietMs));
  }

  /** Repeated in each process: those who are connected here are alive. */
  async noteConnected(keptMs?: number): Promise<void> {
    const { hub, rooms, clock } = this.#parts;
    const here = [...hub.userIds];
    if (here.length === 0) return;
    const nowMs = clock.now().getTime();
    const signs = here.map((userId) => ({ userId, at: new Date(nowMs - hub.quietMsOf(userId)) }));
    await rooms.noteSigns(signs, keptMs);
    // Recovers an arrival that could not be noted.
    await rooms.setConnected(here, true);
  }

  /** Repeated in one process of the site: those whom nobody has heard for long are not there. */
  async findSilent(): Promise<void> {
    const { rooms, focus } = this.#parts;
    const silent = await rooms.findSilent(FORGIVEN_SILENCE_MS);
    if (silent.length > 0) await rooms.setConnected(silent, false);
    await focus.sweep();
  }

  /** Corrects "lost" where another process says it of a learner who is connected here. */
  contradictLost(userId: UserId): void {
    if (!this.#parts.hub.isConnected(userId)) return;
    this.#report(this.#noteConnection({ userId, isConnected: true }));
  }

  /** Stores when those who are connected here were heard last: nobody asks them any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#lost.values()) clearTimeout(timer);
    await this.noteConnected(0).catch((error: unknown) =>
      this.#parts.logger.warn({ err: error }, 'could not store the last signs of life'),
    );
  }

  #depart(userId: UserId, quietMs: number): void {
    if (this.#isClosed) return;
    const at = new Date(this.#parts.clock.now().getTime() - quietMs);
    this.#report(this.#noteSign({ userId, at }));
    const timer = setTimeout(() => {
      this.#lost.delete(userId);
      this.#report(this.#noteConnection({ userId, isConnected: false }));
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

  #report(noted: Promise<void>): void {
    noted.catch((error: unknown) =>
      this.#parts.logger.error({ err: error }, 'could not note what a connection says'),
    );
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
