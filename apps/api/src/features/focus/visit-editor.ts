import type { FocusSettings, UserId } from '@mogakgong/contract';
import { type SeatChange, SILENT_SEAT_MS } from '../rooms/index.ts';
import type { FocusQueries, FocusRepository, StoredVisit } from './focus.repository.ts';
import {
  afterAbandoned,
  afterNewRule,
  type OpenVisit,
  unchanged,
  type VisitChange,
} from './visit-change.ts';

export interface VisitEdit {
  readonly now: Date;
  /** Whether the learner was heard at that moment. */
  readonly isProofOfLife: boolean;
  /** What becomes of the visit; throws to leave everything as it was. */
  readonly edit: (stored: StoredVisit) => VisitChange;
}

export interface EditedVisit {
  readonly visit: OpenVisit;
  /** The last change of the roster that it made; null when nothing is another. */
  readonly change: SeatChange | null;
  readonly hasClosed: boolean;
}

/** Changes open visits, one change of a learner after the other, each in one transaction. */
export class VisitEditor {
  readonly #repository: FocusRepository;

  constructor(repository: FocusRepository) {
    this.#repository = repository;
  }

  /** Null for a learner who sits nowhere. */
  edit(userId: UserId, { now, isProofOfLife, edit }: VisitEdit): Promise<EditedVisit | null> {
    return this.#repository.transact(async (queries) => {
      const found = await lockVisit(queries, userId, now);
      if (!found) return null;
      // Even where the site itself was away: nobody can say what became of so long a time.
      const gapMs = now.getTime() - found.silence.sinceMs;
      const isAbandoned = isProofOfLife && gapMs > SILENT_SEAT_MS;
      const renewal = isAbandoned ? await renew(queries, userId, found, now) : null;
      const stored = renewal?.stored ?? found;
      const edited = edit(stored);
      const { visit, closed } = edited;
      if (visit === stored.visit) {
        if (isProofOfLife) await queries.touchSeat(userId, now);
        return { visit, change: renewal?.change ?? null, hasClosed: renewal !== null };
      }
      const seenAt = isProofOfLife ? now : null;
      const change = await queries.saveChange(userId, stored.visitId, edited, seenAt);
      return { visit, change, hasClosed: closed.length > 0 || renewal !== null };
    });
  }

  /** Stores settings; an open visit counts by them from this moment on. */
  changeSettings(userId: UserId, settings: FocusSettings, now: Date): Promise<SeatChange | null> {
    return this.#repository.transact(async (queries) => {
      const stored = await lockVisit(queries, userId, now);
      await queries.saveSettings(userId, settings);
      if (!stored) return null;
      const { timeZone, dayStartMinutes } = settings;
      const { visit, visitId } = stored;
      if (visit.timeZone === timeZone && visit.dayStartMinutes === dayStartMinutes) return null;
      const change = afterNewRule(unchanged(visit), { timeZone, dayStartMinutes }, now.getTime());
      return queries.saveChange(userId, visitId, change, null);
    });
  }
}

async function lockVisit(
  queries: FocusQueries,
  userId: UserId,
  now: Date,
): Promise<StoredVisit | null> {
  // Two statements: the second must see what was stored while the first waited.
  if (!(await queries.lockSeat(userId))) return null;
  return queries.findOpenVisit(userId, now);
}

/**
 * Somebody comes back after the time in which their seat would have been given up, had anybody been
 * there to do so: the visit ended with the last proof of life, and another begins.
 */
async function renew(queries: FocusQueries, userId: UserId, found: StoredVisit, now: Date) {
  const abandoned = afterAbandoned(unchanged(found.visit), found.silence);
  const change = await queries.saveChange(userId, found.visitId, abandoned, now);
  await queries.renewVisit(userId, found.visitId, abandoned.visit.clock.sinceMs, now);
  const stored = await queries.findOpenVisit(userId, now);
  if (!stored) throw new Error('a visit that was begun is not there');
  return { stored, change };
}
