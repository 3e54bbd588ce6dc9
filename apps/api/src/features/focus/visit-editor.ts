import type { RoomId, TimerMove, TimerPress, UserId } from '@mogakgong/contract';
import { type SeatChange, SILENT_SEAT_MS } from '../rooms/index.ts';
import {
  afterAbandoned,
  afterReturn,
  momentOfPress,
  type OpenVisit,
  unchanged,
  type VisitChange,
} from './visit-change.ts';
import type { DraftedVisit, StoredVisit, VisitQueries } from './visit-queries.ts';

export interface VisitEdit {
  readonly userId: UserId;
  readonly now: Date;
  /** The room that it is about: who sits in another is not found. */
  readonly roomId?: RoomId;
  /** Whether the learner was heard at that moment. */
  readonly isProofOfLife: boolean;
  /** The press that it comes from. */
  readonly press?: { readonly id: string; readonly at: Date } | undefined;
  /** What becomes of the visit; throws to leave everything, of all edits, as it was. */
  readonly edit: (stored: StoredVisit) => VisitChange;
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

/** What a learner asks for themselves, with the press if the timer or a subject was pressed. */
interface Asked {
  readonly userId: UserId;
  readonly now: Date;
  readonly roomId?: RoomId;
  readonly move?: TimerMove;
  readonly press?: TimerPress | undefined;
}

/**
 * An edit that its learner asks for, who is heard with it: `change` is made from the moment on that
 * the press counts from, and is left out where the press changes nothing (`momentOfPress`).
 */
export function editByLearner(
  { press, move, ...asked }: Asked,
  change: (heard: VisitChange, atMs: number) => VisitChange,
): VisitEdit {
  const nowMs = asked.now.getTime();
  return {
    ...asked,
    isProofOfLife: true,
    press: press && { id: press.id, at: comparable(press.atMs, nowMs) },
    edit: ({ visit, silence, press: received }) => {
      const heard = afterReturn(unchanged(visit), silence, nowMs);
      const atMs = momentOfPress(heard, { move, press: received }, nowMs);
      return atMs === null ? heard : change(heard, atMs);
    },
  };
}

/** The moment of a press within what the database can compare; too old to count stays too old. */
const comparable = (atMs: number, nowMs: number) =>
  new Date(Math.min(Math.max(atMs, nowMs - 2 * SILENT_SEAT_MS), nowMs));

/**
 * Changes open visits, one change of a learner after the other; edits that are given together, each of
 * another learner, take three statements, however many they are.
 * @returns what became of the visits, but for learners who do not sit there.
 */
export async function editVisits(
  queries: VisitQueries,
  edits: readonly VisitEdit[],
): Promise<EditedVisit[]> {
  const found = await lockVisits(queries, edits);
  const renewals = await renew(queries, found.filter(isAbandoned));
  await queries.recordPresses(found.map(({ edit }) => edit));
  const drafts = found.map(({ edit, stored: before }) => {
    const { userId, now, isProofOfLife } = edit;
    const renewal = renewals.get(userId);
    const stored = renewal?.stored ?? before;
    const change = edit.edit(stored);
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
    const isThere = stored && (edit.roomId ?? stored.roomId) === stored.roomId;
    return isThere ? [{ edit, stored }] : [];
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
