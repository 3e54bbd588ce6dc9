import {
  addManualTime,
  changeManualTime,
  MANUAL_TIME,
  type ManualTime,
  type ManualTimeId,
  MINUTE_MS,
  removeManualTime,
  type UserId,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { FocusService } from '../focus/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createManualTimeRepository } from './manual-time.repository.ts';

interface PlanUses {
  readonly focus: FocusService;
  readonly notices: Notices;
}

/** Study time that learners enter by hand: kept apart from counted time, and marked wherever it is shown. */
export function createPlan(context: AppContext, { focus, notices }: PlanUses): void {
  const { http, database, checkedClock } = context;
  const repository = createManualTimeRepository(database);
  const tell = (userId: UserId) => notices.send(userId, { kind: 'changed', what: 'figures' });

  /** @throws ApiError of the rule that forbids it. */
  async function save(userId: UserId, time: ManualTime, manualId: ManualTimeId | null) {
    const now = checkedClock.now();
    assertPlausible(time, now);
    const rule = await focus.findSettings(userId);
    const stored = await repository.save(userId, { ...time, manualId, rule, now });
    if (stored.refusal !== null) throw new ApiError(stored.refusal);
    if (stored.manualId === null) throw new Error('study time was not stored');
    tell(userId);
    return { manualId: stored.manualId };
  }

  http.serve(addManualTime, ({ caller, body }) => save(caller.userId, body, null));
  http.serve(changeManualTime, ({ caller, params, body }) =>
    save(caller.userId, body, params.manualId),
  );
  http.serve(removeManualTime, async ({ caller, params }) => {
    const isGone = await repository.remove(caller.userId, params.manualId);
    if (!isGone) throw new ApiError('manualTimeNotFound');
    tell(caller.userId);
    return {};
  });
}

/** @throws ApiError `manualTimeMalformed`, `manualTimeNotOver`. */
function assertPlausible({ startedAtMs, endedAtMs }: ManualTime, now: Date): void {
  const minutes = (endedAtMs - startedAtMs) / MINUTE_MS;
  const { minMinutes, dayMaxHours, settledMinutes } = MANUAL_TIME;
  if (minutes < minMinutes || minutes > dayMaxHours * 60) throw new ApiError('manualTimeMalformed');
  if (endedAtMs > now.getTime() - settledMinutes * MINUTE_MS)
    throw new ApiError('manualTimeNotOver');
}
