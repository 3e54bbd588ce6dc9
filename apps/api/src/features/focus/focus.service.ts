import {
  FORGIVEN_SILENCE_MS,
  type FocusClock,
  type FocusSettings,
  type RoomId,
  type TimerMove,
  type TimerReply,
  type Today,
  todayMs,
  type UserId,
} from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { isDatabaseUnavailable } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService, SeatChange, SignOfLife } from '../rooms/index.ts';
import type { FocusRepository } from './focus.repository.ts';
import {
  type BesideToday,
  nothingBeside,
  type TodayRepository,
  type TodayRow,
} from './today.repository.ts';
import { afterMove, afterReturn, afterSilence, unchanged } from './visit-change.ts';
import { type EditedVisit, type VisitEdit, VisitEditor } from './visit-editor.ts';

/** Signs of life reach the database up to so much later than they were given. */
const SIGNS_LATE_MS = 15_000;
const BATCH_SIZE = 500;
/** Visits that are changed in one transaction: few enough that nobody waits long for their seat. */
const SETTLED_AT_ONCE = 250;

interface FocusParts<Beside> {
  readonly repository: FocusRepository;
  readonly todays: TodayRepository;
  readonly rooms: RoomsService;
  readonly notices: Notices;
  readonly clock: Clock;
  /** For moments that are stored: may refuse to tell one. */
  readonly checkedClock: Clock;
  /** What later features show beside a clock. */
  readonly beside: BesideToday<Beside>;
  readonly logger: Logger;
}

/** What a learner studied today, and what a later feature read beside it. */
interface TodayBeside<Beside> {
  readonly today: Today;
  readonly beside: Beside;
}

type TodaysBeside<Beside> = ReadonlyMap<UserId, TodayBeside<Beside>>;

/** A clock that is another now, with its number in the room's roster. */
export interface ClockChange<Beside> extends SeatChange, TodayBeside<Beside> {
  readonly clock: FocusClock;
}

/**
 * Focus of learners: moves of the timer, silences, and what they studied today; with `Beside`, what
 * later features show beside a clock.
 */
export class FocusService<Beside> {
  readonly #parts: FocusParts<Beside>;
  readonly #editor: VisitEditor;
  readonly #listeners: ((userId: UserId) => void)[] = [];
  readonly #clockListeners: ((change: ClockChange<Beside>) => void)[] = [];
  readonly #loadToday: (userId: UserId) => Promise<Today>;
  readonly #loadChanged: (userId: UserId) => Promise<TodayBeside<Beside>>;

  constructor(parts: FocusParts<Beside>) {
    this.#parts = parts;
    const { repository, rooms } = parts;
    this.#editor = new VisitEditor(repository);
    this.#loadToday = createBatcher(async (userIds) => {
      const todays = await this.#findTodays(userIds, nothingBeside);
      return userIds.map((userId) => todayOf(userId, todays).today);
    }, BATCH_SIZE);
    this.#loadChanged = createBatcher(async (userIds) => {
      const todays = await this.findTodaysBeside(userIds);
      return userIds.map((userId) => todayOf(userId, todays));
    }, BATCH_SIZE);
    rooms.settleReturns(FORGIVEN_SILENCE_MS, (signs) => this.#settleReturns(signs));
    rooms.onRoster(({ type, userId }) => {
      if (type === 'left') this.#tellCounted(userId);
      if (type === 'left' || type === 'joined') this.#tellToday(userId);
    });
  }

  /**
   * Calls `listener` when time of a learner was counted: an interval or a visit has been closed, and
   * days and totals stand in the database. A process that dies in between calls nobody, so whoever
   * must not miss anything also looks at the totals when they are read.
   */
  onCounted(listener: (userId: UserId) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `listener` with every change of a clock that this process made. */
  onClock(listener: (change: ClockChange<Beside>) => void): void {
    this.#clockListeners.push(listener);
  }

  /**
   * Moves the caller's timer; a move that was made already is answered as done.
   * @throws ApiError `notSeated` for a room that is not their seat's, `illegalTimerMove`.
   */
  async move(userId: UserId, roomId: RoomId, move: TimerMove): Promise<TimerReply> {
    const now = this.#parts.checkedClock.now();
    const nowMs = now.getTime();
    const [edited] = await this.#edit([
      {
        userId,
        now,
        isProofOfLife: true,
        edit: (stored) => {
          if (stored.roomId !== roomId) throw new ApiError('notSeated');
          const heard = afterReturn(unchanged(stored.visit), stored.silence, nowMs);
          const moved = afterMove(heard, move, nowMs);
          if (!moved) throw new ApiError('illegalTimerMove');
          return moved;
        },
      },
    ]);
    if (!edited) throw new ApiError('notSeated');
    return { clock: edited.visit.clock, serverNowMs: nowMs };
  }

  /** The clocks of learners; who sits nowhere has none. */
  findClocks(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, FocusClock>> {
    return this.#parts.repository.findClocks(userIds);
  }

  /** What learners studied today, with what later features show beside their clocks. */
  findTodaysBeside(userIds: readonly UserId[]): Promise<TodaysBeside<Beside>> {
    return this.#findTodays(userIds, this.#parts.beside);
  }

  findToday(userId: UserId): Promise<Today> {
    return this.#loadToday(userId);
  }

  findSettings(userId: UserId): Promise<FocusSettings> {
    return this.#parts.repository.findSettings(userId);
  }

  /**
   * Changes how the caller's days are counted, from now on: what was counted keeps its dates.
   * @throws ApiError `unknownTimeZone`, `dayRuleChangedToday`.
   */
  async changeSettings(userId: UserId, settings: FocusSettings): Promise<FocusSettings> {
    const { repository, checkedClock } = this.#parts;
    const isKnown =
      isTimeZone(settings.timeZone) && (await repository.knowsTimeZone(settings.timeZone));
    if (!isKnown) throw new ApiError('unknownTimeZone');
    const edited = await this.#editor.changeSettings(userId, settings, checkedClock.now());
    if (edited?.change) this.#tellEdited(edited);
    else this.#tellToday(userId);
    return settings;
  }

  /**
   * Repeated: notes that the site listens for signs of life. However long it takes to settle
   * silences, it goes on listening.
   */
  async noteWatch(): Promise<void> {
    await this.#parts.repository.noteWatch(this.#parts.checkedClock.now());
  }

  /**
   * Repeated: finds those away who have been silent for too long, and those back who were heard
   * again while nobody could settle it.
   */
  async sweep(): Promise<void> {
    const { repository, checkedClock } = this.#parts;
    const now = checkedClock.now();
    const silent = await repository.findSilentAtWork(now, FORGIVEN_SILENCE_MS + SIGNS_LATE_MS);
    await this.#settle(
      silent.map((userId) => ({
        userId,
        now,
        isProofOfLife: false,
        edit: ({ visit, silence }) => afterSilence(unchanged(visit), silence),
      })),
    );
    await this.#settleReturns(await repository.findReturned());
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
      await this.#settleBatch(edits.slice(index, index + SETTLED_AT_ONCE));
    }
  }

  async #settleBatch(batch: readonly VisitEdit[]): Promise<void> {
    try {
      await this.#edit(batch);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (batch.length === 1) {
        const userId = batch[0]?.userId;
        this.#parts.logger.error({ err: error, userId }, 'could not settle a silence');
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.#settleBatch(batch.slice(0, half));
      await this.#settleBatch(batch.slice(half));
    }
  }

  async #edit(edits: readonly VisitEdit[]): Promise<EditedVisit[]> {
    const edited = await this.#editor.edit(edits);
    for (const one of edited) this.#tellEdited(one);
    return edited;
  }

  #tellEdited({ userId, visit, change, hasClosed }: EditedVisit): void {
    if (change) {
      this.#tellClock(change, visit.clock).catch((error: unknown) =>
        // The room finds that a number is missing, and asks.
        this.#parts.logger.error({ err: error, userId }, 'could not tell of a clock'),
      );
    }
    if (hasClosed) this.#tellCounted(userId);
  }

  async #tellClock(change: SeatChange, clock: FocusClock): Promise<void> {
    const { userId } = change;
    const { today, beside } = await this.#loadChanged(userId);
    for (const listener of this.#clockListeners) listener({ ...change, clock, today, beside });
    this.#parts.notices.tell(userId, { kind: 'today', ...today });
  }

  async #findTodays<Shown>(
    userIds: readonly UserId[],
    shown: BesideToday<Shown>,
  ): Promise<TodaysBeside<Shown>> {
    const now = this.#parts.clock.now();
    const rows = await this.#parts.todays.findTodays([...new Set(userIds)], now, shown);
    return new Map(
      rows.map((row) => [row.userId, { today: toToday(row, now.getTime()), beside: row.beside }]),
    );
  }

  #tellCounted(userId: UserId): void {
    for (const listener of this.#listeners) listener(userId);
  }

  #tellToday(userId: UserId): void {
    this.#loadToday(userId)
      .then((today) => this.#parts.notices.tell(userId, { kind: 'today', ...today }))
      .catch((error: unknown) =>
        this.#parts.logger.error({ err: error, userId }, 'could not tell what was studied today'),
      );
  }
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function todayOf<Beside>(userId: UserId, todays: TodaysBeside<Beside>): TodayBeside<Beside> {
  const today = todays.get(userId);
  if (!today) throw new Error('a learner has no day');
  return today;
}

function toToday(row: TodayRow<unknown>, serverNowMs: number): Today {
  const today = {
    day: row.day,
    timeZone: row.timeZone,
    focusMs: row.focusMs,
    runningSinceMs: row.runningSince?.getTime() ?? null,
    dayStartsAtMs: row.dayStartsAt.getTime(),
    dayEndsAtMs: row.dayEndsAt.getTime(),
    serverNowMs,
  };
  return { ...today, todayStudyTime: Math.floor(todayMs(today, serverNowMs) / 1_000) };
}
