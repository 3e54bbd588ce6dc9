import {
  clockAt,
  FORGIVEN_SILENCE_MS,
  type FocusClock,
  type FocusSettings,
  HOUR_MS,
  type RoomId,
  type TimerMove,
  type TimerPress,
  type TimerReply,
  type Today,
  type UserId,
} from '@mogakgong/contract';
import { retryConflict } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService, SeatChange } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createSettingsQueries, type FocusRepository } from './focus.repository.ts';
import {
  batchDays,
  type ShownDay,
  type TodayRepository,
  withoutTexts,
} from './today.repository.ts';
import {
  afterCameraOff,
  afterCameraOn,
  afterMove,
  afterNewRule,
  isSameRule,
  seenClock,
  unchanged,
} from './visit-change.ts';
import {
  type EditedVisit,
  editByLearner,
  editLockedVisits,
  editVisits,
  type VisitEdit,
} from './visit-editor.ts';
import { transactVisits, type VisitWork } from './visit-queries.ts';
import { createVisitSweeps, type VisitSweeps } from './visit-sweeps.ts';

/**
 * Minimum time between changes of the day rule of counted focus: otherwise a minute could count on three
 * dates.
 */
const RULE_KEPT_MS = 20 * HOUR_MS;

export interface FocusUses {
  readonly rooms: RoomsService;
  readonly notices: Notices;
}

interface FocusParts
  extends FocusUses,
    Pick<AppContext, 'database' | 'clock' | 'checkedClock' | 'logger' | 'sanctions'> {
  readonly repository: FocusRepository;
  readonly todays: TodayRepository;
}

/** A changed clock, with its number in the room's roster and the visible goal. */
interface ClockChange extends SeatChange, Pick<ShownDay, 'goal' | 'subject'> {
  readonly clock: FocusClock;
}

/** A move of the timer; without `press` it is made now. */
interface RequestedMove {
  readonly move: TimerMove;
  readonly press?: TimerPress | undefined;
}

/** A visit of a learner. */
interface VisitRef {
  readonly userId: UserId;
  readonly visitId: number;
}

/** Focus of learners: moves of the timer, silences, and what they studied today. */
export class FocusService {
  readonly #parts: FocusParts;
  readonly #sweeps: VisitSweeps;
  readonly #listeners: ((userId: UserId) => void)[] = [];
  readonly #clockListeners: ((change: ClockChange) => void)[] = [];
  readonly #loadToday: (userId: UserId) => Promise<Today>;
  readonly #loadShownDay: (userId: UserId) => Promise<ShownDay>;

  constructor(parts: FocusParts) {
    this.#parts = parts;
    const { rooms, todays, clock } = parts;
    this.#loadToday = batchDays((userIds) => todays.findTodays(userIds, clock.now()));
    this.#loadShownDay = batchDays((userIds) => this.findShownDays(userIds));
    this.#sweeps = createVisitSweeps(parts, (edits) => this.#edit(edits));
    const settle = this.#sweeps.settleReturns;
    rooms.settleReturnsWith(FORGIVEN_SILENCE_MS, settle);
    rooms.onRoster(({ type, userId }) => {
      if (type === 'left') this.#publishCounted(userId);
      if (type === 'left' || type === 'joined') this.#sendToday(userId);
    });
  }

  /**
   * Calls `listener` when time of a learner was counted: an interval or a visit has been closed, and days and
   * totals are stored. A process that dies in between calls nobody, so a listener that must not miss anything
   * also reads the totals.
   */
  onCounted(listener: (userId: UserId) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `listener` with every change of a clock that this process made. */
  onClock(listener: (change: ClockChange) => void): void {
    this.#clockListeners.push(listener);
  }

  /**
   * Moves the caller's timer, from the moment of the press if that is plausible (decision 090); a repeated
   * move is answered as done. A press is ignored if it is repeated, or was made before the visit, before a
   * newer press, or before the time after which a silent learner's visit ends.
   * @throws ApiError `notSeated` for a room that is not their seat's, `illegalTimerMove`.
   */
  async move(userId: UserId, roomId: RoomId, { move, press }: RequestedMove): Promise<TimerReply> {
    const now = this.#parts.checkedClock.now();
    const edit = editByLearner({ userId, now, roomId, move, press }, (heard, atMs) => {
      const moved = afterMove(heard, move, atMs);
      if (!moved) throw new ApiError('illegalTimerMove');
      return moved;
    });
    return this.replyTo(await this.#edit([edit]), now);
  }

  /**
   * The answer to a learner's own change of their clock.
   * @throws ApiError `notSeated` if no visit was changed.
   */
  async replyTo([edited]: readonly EditedVisit[], now: Date): Promise<TimerReply> {
    if (!edited) throw new ApiError('notSeated');
    const { userId, visit, change } = edited;
    // The notice carries the same day: both are asked for in this turn, and read once.
    const { today } = await this.#loadShownDay(userId);
    // A repeated press: the process that stored it may have ended before it told anybody. A room finds the
    // missing number by itself; other tabs do not.
    if (!change) this.#parts.notices.send(userId, { kind: 'today', ...today });
    const serverNowMs = now.getTime();
    return { clock: clockAt(seenClock(visit), serverNowMs), serverNowMs, today };
  }

  /**
   * Changes open visits together with the other writes of `work` in one transaction, and publishes them once
   * stored.
   */
  async transact(work: VisitWork<readonly EditedVisit[]>): Promise<readonly EditedVisit[]> {
    const edited = await transactVisits(this.#parts.database, work);
    for (const one of edited) this.#publishEdited(one);
    return edited;
  }

  /**
   * In a room that requires the camera: sets a focusing learner away when their camera is missing, and back
   * when it returns; from this moment on, so that counted time stays counted.
   * @returns whether that changed their clock: not if they have moved it, or left, meanwhile.
   */
  async followCamera({ userId, visitId }: VisitRef, isShown: boolean): Promise<boolean> {
    const now = this.#parts.checkedClock.now();
    const after = isShown ? afterCameraOn : afterCameraOff;
    const [edited] = await this.#edit([
      {
        userId,
        now,
        isProofOfLife: false,
        edit: (stored) => {
          const same = unchanged(stored.visit);
          return stored.visitId === visitId ? after(same, now.getTime()) : same;
        },
      },
    ]);
    return edited !== undefined && edited.change !== null;
  }

  /** The clocks of learners; a learner without a seat has none. */
  findClocks(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, FocusClock>> {
    return this.#parts.repository.findClocks(userIds);
  }

  /** The learners' study time of today, with what they show others: no text of muted learners. */
  async findShownDays(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, ShownDay>> {
    const { todays, clock, sanctions } = this.#parts;
    const days = await todays.findShownDays(userIds, clock.now());
    return new Map(
      [...days].map(([userId, day]) => {
        return [userId, sanctions.inForce.isMuted(userId) ? withoutTexts(day) : day];
      }),
    );
  }

  /** Publishes the tile of a seated learner again. */
  async showAgain(userId: UserId): Promise<void> {
    const { repository, rooms } = this.#parts;
    const change = await retryConflict(() => repository.countChange(userId));
    if (change) rooms.publish('updated', [change]);
  }

  findToday(userId: UserId): Promise<Today> {
    return this.#loadToday(userId);
  }

  findSettings(userId: UserId): Promise<FocusSettings> {
    return this.#parts.repository.findSettings(userId);
  }

  /** Whether days can be counted in a time zone. */
  knowsTimeZone(timeZone: string): Promise<boolean> {
    return this.#parts.repository.knowsTimeZone(timeZone);
  }

  /**
   * Changes the rule of the caller's days, from now on: counted time keeps its dates. Saving settings is
   * proof of life, so an earlier silence is settled by the old rule first.
   * @throws ApiError `unknownTimeZone`, `dayRuleChangedToday`.
   */
  async changeSettings(userId: UserId, settings: FocusSettings): Promise<FocusSettings> {
    const { timeZone, dayStartMinutes } = settings;
    const rule = { timeZone, dayStartMinutes };
    const isKnown = await this.knowsTimeZone(timeZone);
    if (!isKnown) throw new ApiError('unknownTimeZone');
    const now = this.#parts.checkedClock.now();
    const edit = editByLearner({ userId, now }, (heard, atMs) =>
      isSameRule(heard.visit, rule) ? heard : afterNewRule(heard, rule, atMs),
    );
    const [edited] = await this.transact(async (queries, db) => {
      const stored = createSettingsQueries(db);
      // An enter at the same time waits for the settings, or its new seat is found.
      await queries.lockSeats([userId]);
      const known = await stored.lockSettings(userId, new Date(now.getTime() - RULE_KEPT_MS));
      const isRuleNew = !isSameRule(known, rule);
      if (isRuleNew && known.isRuleKept) throw new ApiError('dayRuleChangedToday');
      await stored.saveSettings(userId, settings, isRuleNew ? now : null);
      return editLockedVisits(queries, [edit]);
    });
    if (!edited?.change) this.#sendToday(userId);
    return settings;
  }

  /** Repeated: records that the site receives signs of life, independently of slow settling of silences. */
  async recordWatch(): Promise<void> {
    await this.#parts.repository.recordWatch(this.#parts.checkedClock.now());
  }

  /** Repeated: see `VisitSweeps`. */
  sweepPhases = (): Promise<void> => this.#sweeps.sweepPhases();

  /** Repeated: see `VisitSweeps`. */
  sweep = (): Promise<void> => this.#sweeps.sweepSilences();

  #edit(edits: readonly VisitEdit[]): Promise<readonly EditedVisit[]> {
    return this.transact((queries) => editVisits(queries, edits));
  }

  #publishEdited({ userId, visit, change, hasClosed }: EditedVisit): void {
    if (change) {
      this.#publishClock(change, seenClock(visit)).catch((error: unknown) =>
        // The rooms' logs notice the missing number, and fill it.
        this.#parts.logger.error({ err: error, userId }, 'could not publish a clock'),
      );
    }
    if (hasClosed) this.#publishCounted(userId);
  }

  async #publishClock(change: SeatChange, clock: FocusClock): Promise<void> {
    const { userId } = change;
    const { today, ...shown } = await this.#loadShownDay(userId);
    for (const listener of this.#clockListeners) listener({ ...change, clock, ...shown });
    this.#parts.notices.send(userId, { kind: 'today', ...today });
  }

  #publishCounted(userId: UserId): void {
    for (const listener of this.#listeners) listener(userId);
  }

  #sendToday(userId: UserId): void {
    this.#loadToday(userId)
      .then((today) => this.#parts.notices.send(userId, { kind: 'today', ...today }))
      .catch((error: unknown) =>
        this.#parts.logger.error({ err: error, userId }, 'could not send what was studied today'),
      );
  }
}
