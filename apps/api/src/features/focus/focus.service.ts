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
import { ApiError } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService, SignOfLife } from '../rooms/index.ts';
import type { FocusRepository } from './focus.repository.ts';
import type { TodayRepository, TodayRow } from './today.repository.ts';
import { afterMove, afterReturn, afterSilence, unchanged } from './visit-change.ts';
import { type VisitEdit, VisitEditor } from './visit-editor.ts';

/** Signs of life reach the database up to so much later than they were given. */
const SIGNS_LATE_MS = 15_000;
const BATCH_SIZE = 500;

interface FocusParts {
  readonly repository: FocusRepository;
  readonly todays: TodayRepository;
  readonly rooms: RoomsService;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Focus of learners: moves of the timer, silences, and what they studied today. */
export class FocusService {
  readonly #parts: FocusParts;
  readonly #editor: VisitEditor;
  readonly #listeners: ((userId: UserId) => void)[] = [];
  readonly #loadToday: (userId: UserId) => Promise<Today>;

  constructor(parts: FocusParts) {
    this.#parts = parts;
    const { repository, rooms } = parts;
    this.#editor = new VisitEditor(repository);
    this.#loadToday = createBatcher((userIds) => this.#loadTodays(userIds), BATCH_SIZE);
    rooms.settleReturns(FORGIVEN_SILENCE_MS, (sign) =>
      this.#logFailure(sign.userId, () => this.#settleReturn(sign)),
    );
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

  /**
   * Moves the caller's timer; a move that was made already is answered as done.
   * @throws ApiError `notSeated` for a room that is not their seat's, `illegalTimerMove`.
   */
  async move(userId: UserId, roomId: RoomId, move: TimerMove): Promise<TimerReply> {
    const now = this.#parts.clock.now();
    const nowMs = now.getTime();
    const edited = await this.#edit(userId, {
      now,
      isProofOfLife: true,
      edit: (stored) => {
        if (stored.roomId !== roomId) throw new ApiError('notSeated');
        const heard = afterReturn(unchanged(stored.visit), stored.silence, nowMs);
        const moved = afterMove(heard, move, nowMs);
        if (!moved) throw new ApiError('illegalTimerMove');
        return moved;
      },
    });
    if (!edited) throw new ApiError('notSeated');
    return { clock: edited.visit.clock, serverNowMs: nowMs };
  }

  /** The clocks of learners; who sits nowhere has none. */
  findClocks(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, FocusClock>> {
    return this.#parts.repository.findClocks(userIds);
  }

  findToday(userId: UserId): Promise<Today> {
    return this.#loadToday(userId);
  }

  findSettings(userId: UserId): Promise<FocusSettings> {
    return this.#parts.repository.findSettings(userId);
  }

  /**
   * Changes how the caller's days are counted, from now on: what was counted keeps its dates.
   * @throws ApiError `unknownTimeZone`.
   */
  async changeSettings(userId: UserId, settings: FocusSettings): Promise<FocusSettings> {
    const { repository, clock } = this.#parts;
    const isKnown =
      isTimeZone(settings.timeZone) && (await repository.knowsTimeZone(settings.timeZone));
    if (!isKnown) throw new ApiError('unknownTimeZone');
    const change = await this.#editor.changeSettings(userId, settings, clock.now());
    if (change) this.#parts.rooms.tellUpdated(change);
    this.#tellCounted(userId);
    this.#tellToday(userId);
    return settings;
  }

  /**
   * Repeated: finds those away who have been silent for too long, and those back who were heard
   * again while nobody could settle it.
   */
  async sweep(): Promise<void> {
    const { repository, clock } = this.#parts;
    const now = clock.now();
    for (const userId of await repository.findSilent(now, FORGIVEN_SILENCE_MS + SIGNS_LATE_MS)) {
      await this.#logFailure(userId, () =>
        this.#edit(userId, {
          now,
          isProofOfLife: false,
          edit: ({ visit, silence }) => afterSilence(unchanged(visit), silence),
        }),
      );
    }
    for (const sign of await repository.findReturned()) {
      await this.#logFailure(sign.userId, () => this.#settleReturn(sign));
    }
    await repository.noteWatch(now);
  }

  /** What a silence was, now that it has ended. */
  async #settleReturn({ userId, at }: SignOfLife): Promise<void> {
    await this.#edit(userId, {
      now: at,
      isProofOfLife: true,
      edit: ({ visit, silence }) => afterReturn(unchanged(visit), silence, at.getTime()),
    });
  }

  async #edit(userId: UserId, edit: VisitEdit) {
    const edited = await this.#editor.edit(userId, edit);
    if (edited?.change) {
      this.#parts.rooms.tellUpdated(edited.change);
      this.#tellToday(userId);
    }
    if (edited?.hasClosed) this.#tellCounted(userId);
    return edited;
  }

  async #loadTodays(userIds: readonly UserId[]): Promise<Today[]> {
    const now = this.#parts.clock.now();
    const rows = await this.#parts.todays.findTodays([...new Set(userIds)], now);
    const todays = new Map(rows.map((row) => [row.userId, toToday(row, now.getTime())]));
    return userIds.map((userId) => {
      const today = todays.get(userId);
      if (!today) throw new Error('a learner has no day');
      return today;
    });
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

  /** One learner's trouble must not keep the others waiting. */
  async #logFailure(userId: UserId, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.logger.error({ err: error, userId }, 'could not settle a silence');
    }
  }
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function toToday(row: TodayRow, serverNowMs: number): Today {
  const today = {
    day: row.day,
    focusMs: row.focusMs,
    runningSinceMs: row.runningSince?.getTime() ?? null,
    dayStartsAtMs: row.dayStartsAt.getTime(),
    dayEndsAtMs: row.dayEndsAt.getTime(),
    serverNowMs,
  };
  return { ...today, todayStudyTime: Math.floor(todayMs(today, serverNowMs) / 1_000) };
}
