import {
  FORGIVEN_SILENCE_MS,
  type FocusClock,
  type FocusSettings,
  type RoomId,
  type TimerMove,
  type TimerPress,
  type TimerReply,
  type Today,
  type UserId,
} from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { inHalves, sweepInSlices } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService, SeatChange, SignOfLife } from '../rooms/index.ts';
import type { FocusRepository } from './focus.repository.ts';
import type { ShownDay, TodayRepository } from './today.repository.ts';
import {
  afterCameraOff,
  afterCameraOn,
  afterMove,
  afterNewRule,
  afterReturn,
  afterSilence,
  type DayRule,
  unchanged,
} from './visit-change.ts';
import { type EditedVisit, editByLearner, editVisits, type VisitEdit } from './visit-editor.ts';
import type { VisitQueries } from './visit-queries.ts';

/** Signs of life reach the database up to so much later than they were given. */
const SIGNS_LATE_MS = 15_000;
const BATCH_SIZE = 500;
/** Visits that are changed in one transaction: few enough that nobody waits long for their seat. */
const SETTLED_AT_ONCE = 250;
/** Days that focus is counted by change once in so long: else a minute could be lived on three dates. */
const RULE_KEPT_MS = 20 * 60 * 60_000;

export interface FocusParts {
  readonly repository: FocusRepository;
  readonly todays: TodayRepository;
  readonly rooms: RoomsService;
  readonly notices: Notices;
  readonly clock: Clock;
  /** For moments that are stored: throws `clockWrong` while the clock is not to be trusted. */
  readonly checkedClock: Clock;
  readonly logger: Logger;
}

/** A clock that has changed, with its number in the room's roster and what the room sees of the goal. */
interface ClockChange extends SeatChange, Pick<ShownDay, 'goal'> {
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
  readonly #listeners: ((userId: UserId) => void)[] = [];
  readonly #clockListeners: ((change: ClockChange) => void)[] = [];
  readonly #loadToday: (userId: UserId) => Promise<Today>;
  readonly #loadShownDay: (userId: UserId) => Promise<ShownDay>;

  constructor(parts: FocusParts) {
    this.#parts = parts;
    const { rooms, todays, clock } = parts;
    this.#loadToday = batchDays((userIds) => todays.findTodays(userIds, clock.now()));
    this.#loadShownDay = batchDays((userIds) => this.findShownDays(userIds));
    rooms.settleReturns(FORGIVEN_SILENCE_MS, (signs) => this.#settleReturns(signs));
    rooms.onRoster(({ type, userId }) => {
      if (type === 'left') this.#publishCounted(userId);
      if (type === 'left' || type === 'joined') this.#sendToday(userId);
    });
  }

  /**
   * Calls `listener` when time of a learner was counted: an interval or a visit has been closed, and
   * days and totals are stored. A process that dies in between calls nobody, so a listener that must
   * not miss anything also reads the totals.
   */
  onCounted(listener: (userId: UserId) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `listener` with every change of a clock that this process made. */
  onClock(listener: (change: ClockChange) => void): void {
    this.#clockListeners.push(listener);
  }

  /**
   * Moves the caller's timer, from the moment of the press on if that can be believed (decision 090); a
   * move that was made already is answered as done. A press changes nothing that is sent again, or was made
   * before the visit, before a newer press, or before the time after which a silent learner's visit ends.
   * @throws ApiError `notSeated` for a room that is not their seat's, `illegalTimerMove`.
   */
  async move(userId: UserId, roomId: RoomId, { move, press }: RequestedMove): Promise<TimerReply> {
    const now = this.#parts.checkedClock.now();
    const edit = editByLearner({ userId, now, roomId, move, press }, (heard, atMs) => {
      const moved = afterMove(heard, move, atMs);
      if (!moved) throw new ApiError('illegalTimerMove');
      return moved;
    });
    const [edited] = await this.#edit([edit]);
    if (!edited) throw new ApiError('notSeated');
    return { clock: edited.visit.clock, serverNowMs: now.getTime() };
  }

  /**
   * Changes open visits beside what else `work` stores in one transaction, and tells of them once all
   * of it is stored.
   */
  async transact(
    work: (queries: VisitQueries) => Promise<readonly EditedVisit[]>,
  ): Promise<readonly EditedVisit[]> {
    const edited = await this.#parts.repository.transact(work);
    for (const one of edited) this.#publishEdited(one);
    return edited;
  }

  /**
   * In a room that asks for the camera: sets who focuses away when theirs is missing, and lets them go on
   * when it is back; from this moment on, so what was counted stays counted.
   * @returns whether that changed their clock: not when they have moved it, or left, meanwhile.
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

  /** The clocks of learners; who sits nowhere has none. */
  findClocks(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, FocusClock>> {
    return this.#parts.repository.findClocks(userIds);
  }

  /** What learners studied today, with what the room sees of their goals. */
  findShownDays(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, ShownDay>> {
    return this.#parts.todays.findShownDays(userIds, this.#parts.clock.now());
  }

  findToday(userId: UserId): Promise<Today> {
    return this.#loadToday(userId);
  }

  findSettings(userId: UserId): Promise<FocusSettings> {
    return this.#parts.repository.findSettings(userId);
  }

  /**
   * Changes how the caller's days are counted, from now on: what was counted keeps its dates. To save
   * settings is proof of life, so a silence that came before is settled by the old ones first.
   * @throws ApiError `unknownTimeZone`, `dayRuleChangedToday`.
   */
  async changeSettings(userId: UserId, settings: FocusSettings): Promise<FocusSettings> {
    const { timeZone, dayStartMinutes } = settings;
    const rule = { timeZone, dayStartMinutes };
    const isKnown = isTimeZone(timeZone) && (await this.#parts.repository.knowsTimeZone(timeZone));
    if (!isKnown) throw new ApiError('unknownTimeZone');
    const now = this.#parts.checkedClock.now();
    const edit = editByLearner({ userId, now }, (heard, atMs) =>
      isSameRule(heard.visit, rule) ? heard : afterNewRule(heard, rule, atMs),
    );
    const [edited] = await this.transact(async (queries) => {
      // Who enters meanwhile waits for the settings, or is found in the seat they have taken.
      await queries.lockSeats([userId]);
      const known = await queries.lockSettings(userId, new Date(now.getTime() - RULE_KEPT_MS));
      const isRuleNew = !isSameRule(known, rule);
      if (isRuleNew && known.isRuleKept) throw new ApiError('dayRuleChangedToday');
      await queries.saveSettings(userId, settings, isRuleNew ? now : null);
      return editVisits(queries, [edit]);
    });
    if (!edited?.change) this.#sendToday(userId);
    return settings;
  }

  /**
   * Repeated: records that the site receives signs of life, however long it takes to settle
   * silences.
   */
  async recordWatch(): Promise<void> {
    await this.#parts.repository.recordWatch(this.#parts.checkedClock.now());
  }

  /**
   * Repeated: sets learners away who have been silent for too long, and settles the silence of those
   * who were heard again while it could not be settled.
   */
  async sweep(): Promise<void> {
    const { repository, checkedClock } = this.#parts;
    const now = checkedClock.now();
    const afterMs = FORGIVEN_SILENCE_MS + SIGNS_LATE_MS;
    await sweepInSlices<UserId>({
      find: (after, limit) => repository.findSilentAtWork({ now, afterMs }, after, limit),
      work: (silent) =>
        this.#settle(
          silent.map((userId) => ({
            userId,
            now,
            isProofOfLife: false,
            edit: ({ visit, silence }) => afterSilence(unchanged(visit), silence),
          })),
        ),
    });
    await sweepInSlices<SignOfLife>({
      find: repository.findReturned,
      work: (signs) => this.#settleReturns(signs),
    });
  }

  /** What silences were, now that they have ended. */
  #settleReturns(signs: readonly SignOfLife[]): Promise<void> {
    return this.#settle(
      signs.map(({ userId, at }) => ({
        userId,
        now: at,
        isProofOfLife: true,
        edit: ({ visit, silence }) => afterReturn(unchanged(visit), silence, at.getTime()),
      })),
    );
  }

  /**
   * Edits many visits; a batch that fails is halved until the edit that cannot be made stands alone.
   * @throws as soon as the database is not available: whoever repeats this tries everything again.
   */
  async #settle(edits: readonly VisitEdit[]): Promise<void> {
    for (let index = 0; index < edits.length; index += SETTLED_AT_ONCE) {
      await inHalves(
        edits.slice(index, index + SETTLED_AT_ONCE),
        (batch) => this.#edit(batch),
        (error, { userId }) =>
          this.#parts.logger.error({ err: error, userId }, 'could not settle a silence'),
      );
    }
  }

  #edit(edits: readonly VisitEdit[]): Promise<readonly EditedVisit[]> {
    return this.transact((queries) => editVisits(queries, edits));
  }

  #publishEdited({ userId, visit, change, hasClosed }: EditedVisit): void {
    if (change) {
      this.#publishClock(change, visit.clock).catch((error: unknown) =>
        // The rooms' logs find that a number is missing, and fill it.
        this.#parts.logger.error({ err: error, userId }, 'could not publish a clock'),
      );
    }
    if (hasClosed) this.#publishCounted(userId);
  }

  async #publishClock(change: SeatChange, clock: FocusClock): Promise<void> {
    const { userId } = change;
    const { today, goal } = await this.#loadShownDay(userId);
    for (const listener of this.#clockListeners) listener({ ...change, clock, goal });
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

const isSameRule = (one: DayRule, other: DayRule) =>
  one.timeZone === other.timeZone && one.dayStartMinutes === other.dayStartMinutes;

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Reads the days of learners who are asked for at the same moment in one statement. */
function batchDays<Day>(
  find: (userIds: readonly UserId[]) => Promise<ReadonlyMap<UserId, Day>>,
): (userId: UserId) => Promise<Day> {
  return createBatcher(async (userIds) => {
    const days = await find([...new Set(userIds)]);
    return userIds.map((userId) => {
      const day = days.get(userId);
      if (day === undefined) throw new Error('a learner has no day');
      return day;
    });
  }, BATCH_SIZE);
}
