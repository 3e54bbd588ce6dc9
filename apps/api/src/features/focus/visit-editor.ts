import type { FocusSettings, OwnSubjects, SubjectId, UserId } from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import { type SeatChange, SILENT_SEAT_MS } from '../rooms/index.ts';
import type { FocusRepository } from './focus.repository.ts';
import {
  afterAbandoned,
  afterNewRule,
  afterReturn,
  type DayRule,
  type OpenVisit,
  unchanged,
  type VisitChange,
} from './visit-change.ts';
import type { DraftedVisit, StoredVisit, VisitQueries } from './visit-queries.ts';

/** Days that focus is counted by change once in so long: else a minute could be lived on three dates. */
const RULE_KEPT_MS = 20 * 60 * 60_000;

export interface VisitEdit {
  readonly userId: UserId;
  readonly now: Date;
  /** Whether the learner was heard at that moment. */
  readonly isProofOfLife: boolean;
  /** The press that it comes from. */
  readonly press?: { readonly id: string; readonly at: Date } | undefined;
  /**
   * What becomes of the visit; throws to leave everything, of all edits, as it was.
   * @param isRepeated the press was received before, and has been made.
   */
  readonly edit: (stored: StoredVisit, isRepeated: boolean) => VisitChange;
}

export interface EditedVisit {
  readonly userId: UserId;
  readonly visit: OpenVisit;
  /** The last change of the roster that it made; null when nothing changed. */
  readonly change: SeatChange | null;
  readonly hasClosed: boolean;
}

/** An edit with the visit that it is about. */
interface FoundVisit {
  readonly edit: VisitEdit;
  readonly stored: StoredVisit;
}

/**
 * Changes open visits, one change of a learner after the other. Edits that are given together are one
 * transaction of three statements, however many they are; each of another learner.
 */
export class VisitEditor {
  readonly #repository: FocusRepository;

  constructor(repository: FocusRepository) {
    this.#repository = repository;
  }

  /** What became of the visits, but for learners who sit nowhere. */
  edit(edits: readonly VisitEdit[]): Promise<EditedVisit[]> {
    return this.#repository.transact((queries) => editAll(queries, edits));
  }

  /**
   * Stores settings; an open visit counts by them from this moment on. To save them is proof of life,
   * so a silence that came before is settled by the old ones first.
   * @throws ApiError `dayRuleChangedToday`.
   */
  changeSettings(userId: UserId, settings: FocusSettings, now: Date): Promise<EditedVisit | null> {
    const { timeZone, dayStartMinutes } = settings;
    const rule = { timeZone, dayStartMinutes };
    return this.#repository.transact(async (queries) => {
      // Who enters meanwhile waits for the settings, or is found in the seat they have taken.
      await queries.lockSeats([userId]);
      const known = await queries.lockSettings(userId, new Date(now.getTime() - RULE_KEPT_MS));
      const isRuleNew = !isSameRule(known, rule);
      if (isRuleNew && known.isRuleKept) throw new ApiError('dayRuleChangedToday');
      await queries.saveSettings(userId, settings, isRuleNew ? now : null);
      const withNewRule = ({ visit, silence }: StoredVisit) => {
        const heard = afterReturn(unchanged(visit), silence, now.getTime());
        return isSameRule(heard.visit, rule) ? heard : afterNewRule(heard, rule, now.getTime());
      };
      const [edited] = await editAll(queries, [
        { userId, now, isProofOfLife: true, edit: withNewRule },
      ]);
      return edited ?? null;
    });
  }

  /**
   * Makes a subject a learner's current one, or what the edit makes of it in an open visit. A press
   * without a visit changes nothing: it was made in one that has ended.
   * @throws ApiError `subjectNotFound`.
   */
  chooseSubject(edit: VisitEdit, subjectId: SubjectId | null): Promise<EditedVisit | null> {
    const { userId, press } = edit;
    return this.#withSubjects(userId, async (queries) => {
      if (subjectId !== null) assertKnown(await queries.subjects.find(userId), subjectId);
      const [edited] = await editAll(queries, [edit]);
      if (edited) await queries.subjects.keepCurrent(userId, edited.visit.subjectId);
      else if (!press) await queries.subjects.keepCurrent(userId, subjectId);
      return edited ?? null;
    });
  }

  /**
   * Removes a subject, after the edit has taken it from an open visit.
   * @throws ApiError `subjectNotFound`.
   */
  removeSubject(edit: VisitEdit, subjectId: SubjectId): Promise<EditedVisit | null> {
    const { userId, now } = edit;
    return this.#withSubjects(userId, async (queries) => {
      const own = await queries.subjects.find(userId);
      assertKnown(own, subjectId);
      const [edited] = await editAll(queries, [edit]);
      if (own.currentId === subjectId) await queries.subjects.keepCurrent(userId, null);
      await queries.subjects.remove(userId, subjectId, now);
      return edited ?? null;
    });
  }

  /** Who enters meanwhile waits for the subjects, or is found in the seat they have taken. */
  #withSubjects<Result>(userId: UserId, work: (queries: VisitQueries) => Promise<Result>) {
    return this.#repository.transact(async (queries) => {
      await queries.lockSeats([userId]);
      await queries.subjects.lock(userId);
      return work(queries);
    });
  }
}

function assertKnown({ subjects }: OwnSubjects, subjectId: SubjectId): void {
  if (!subjects.some(({ id }) => id === subjectId)) throw new ApiError('subjectNotFound');
}

const isSameRule = (one: DayRule, other: DayRule) =>
  one.timeZone === other.timeZone && one.dayStartMinutes === other.dayStartMinutes;

async function editAll(queries: VisitQueries, edits: readonly VisitEdit[]): Promise<EditedVisit[]> {
  const found = await lockVisits(queries, edits);
  const repeated = await queries.recordPresses(found.map(({ edit }) => edit));
  const renewals = await renew(queries, found.filter(isAbandoned));
  const drafts = found.map(({ edit, stored: before }) => {
    const { userId, now, isProofOfLife } = edit;
    const renewal = renewals.get(userId);
    const stored = renewal?.stored ?? before;
    const change = edit.edit(stored, repeated.has(userId));
    const isChanged = change.visit !== stored.visit;
    const seenAt = isProofOfLife ? now : null;
    return { userId, visitId: stored.visitId, change, seenAt, isChanged, renewal };
  });
  const changes = await save(
    queries,
    drafts.filter(({ isChanged }) => isChanged),
  );
  const heard = drafts.filter(({ isChanged, seenAt }) => !isChanged && seenAt !== null);
  if (heard.length > 0) await queries.touchSeats(heard);
  return drafts.map(({ userId, change, renewal }) => ({
    userId,
    visit: change.visit,
    change: changes.get(userId) ?? renewal?.change ?? null,
    hasClosed: change.closed.length > 0 || renewal !== undefined,
  }));
}

async function lockVisits(
  queries: VisitQueries,
  edits: readonly VisitEdit[],
): Promise<FoundVisit[]> {
  // Two statements: the second must see what was stored while the first waited.
  const seated = new Set(await queries.lockSeats(edits.map(({ userId }) => userId)));
  return findVisits(
    queries,
    edits.filter(({ userId }) => seated.has(userId)),
  );
}

async function findVisits(
  queries: VisitQueries,
  edits: readonly VisitEdit[],
): Promise<FoundVisit[]> {
  if (edits.length === 0) return [];
  const visits = await queries.findOpenVisits(edits);
  return edits.flatMap((edit) => {
    const stored = visits.get(edit.userId);
    return stored ? [{ edit, stored }] : [];
  });
}

async function save(
  queries: VisitQueries,
  drafts: readonly DraftedVisit[],
): Promise<ReadonlyMap<UserId, SeatChange>> {
  if (drafts.length === 0) return new Map();
  const changes = await queries.saveChanges(drafts);
  return new Map(changes.map((change) => [change.userId, change]));
}

/** Even where the site itself was away: nobody can say what became of so long a time. */
function isAbandoned({ edit: { now, isProofOfLife }, stored: { silence } }: FoundVisit): boolean {
  return isProofOfLife && now.getTime() - silence.sinceMs > SILENT_SEAT_MS;
}

/**
 * Some come back after the time in which their seat would have been given up, had anybody been there
 * to do so: the visit ended with the last proof of life, and another begins.
 */
async function renew(queries: VisitQueries, abandoned: readonly FoundVisit[]) {
  const drafts = abandoned.map(({ edit: { userId, now }, stored }) => {
    const change = afterAbandoned(unchanged(stored.visit), stored.silence);
    return { userId, visitId: stored.visitId, change, seenAt: now };
  });
  const changes = await save(queries, drafts);
  if (drafts.length > 0) await queries.renewVisits(drafts);
  const renewed = await findVisits(
    queries,
    abandoned.map(({ edit }) => edit),
  );
  return new Map(
    renewed.map(({ edit: { userId }, stored }) => [
      userId,
      { stored, change: changes.get(userId) ?? null },
    ]),
  );
}
