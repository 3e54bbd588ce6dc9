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
  /** The room of the visit: a learner seated elsewhere is not found. */
  readonly roomId?: RoomId;
  /** Whether the learner was heard at that moment. */
  readonly isProofOfLife: boolean;
  /** The press that caused it. */
  readonly press?: { readonly id: string; readonly at: Date } | undefined;
  /** The new state of the visit; if it throws, all edits are rolled back. */
  readonly edit: (stored: StoredVisit) => VisitChange;
}

export interface EditedVisit {
  readonly userId: UserId;
  readonly visit: OpenVisit;
  /** Its last change of the roster; null if nothing changed. */
  readonly change: SeatChange | null;
  readonly hasClosed: boolean;
}

/** An edit with its visit. */
interface FoundVisit {
  readonly edit: VisitEdit;
  readonly stored: StoredVisit;
}

/** A learner's own request, with the press if the timer or a subject was pressed. */
interface Asked {
  readonly userId: UserId;
  readonly now: Date;
  readonly roomId?: RoomId;
  readonly move?: TimerMove;
  readonly press?: TimerPress | undefined;
}

/**
 * An edit by its learner, and so a proof of life: `change` applies from the moment from which the press
 * counts, and is left out if the press is ignored (`momentOfPress`).
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

/** The moment of a press within the range that the database can compare; too old to count stays too old. */
const comparable = (atMs: number, nowMs: number) =>
  new Date(Math.min(Math.max(atMs, nowMs - 2 * SILENT_SEAT_MS), nowMs));

/**
 * Changes open visits, serialised per learner; edits given together, each of another learner, take three
 * statements, however many they are.
 * @returns the outcomes of the visits, except of learners without a seat there.
 */
export async function editVisits(
  queries: VisitQueries,
  edits: readonly VisitEdit[],
): Promise<EditedVisit[]> {
  // A statement of its own: the next one must see the rows stored while this one waited.
  const seated = new Set(await queries.lockSeats(edits.map(({ userId }) => userId)));
  return editLockedVisits(
    queries,
    edits.filter(({ userId }) => seated.has(userId)),
  );
}

/** The same in a transaction that has locked the seats of the learners. */
export async function editLockedVisits(
  queries: VisitQueries,
  edits: readonly VisitEdit[],
): Promise<EditedVisit[]> {
  const found = await findVisits(queries, edits);
  const renewals = await renew(queries, found.filter(isAbandoned));
  await queries.recordPresses(found.map(({ edit }) => edit));
  const drafts = found.map(({ edit, stored: before }) => {
    const { userId, now, isProofOfLife } = edit;
    const renewal = renewals.get(userId);
    const stored = renewal?.stored ?? before;
    const change = edit.edit(stored);
    const isChanged = change.visit !== stored.visit;
    const seenAt = isProofOfLife ? now : null;
    const setsSchedule = change.visit.clock.schedule !== stored.visit.clock.schedule;
    const draft = { userId, visitId: stored.visitId, change, seenAt, setsSchedule };
    return { ...draft, isChanged, renewal };
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

/** Even if the site itself was down: after so long the learner's status is unknown. */
function isAbandoned({ edit: { now, isProofOfLife }, stored: { silence } }: FoundVisit): boolean {
  return isProofOfLife && now.getTime() - silence.sinceMs > SILENT_SEAT_MS;
}

/**
 * Some return after the time in which their seat should have been given up, but the site was down: the visit
 * ends with the last proof of life, and another begins.
 */
async function renew(queries: VisitQueries, abandoned: readonly FoundVisit[]) {
  const drafts = abandoned.map(({ edit: { userId, now }, stored }) => {
    const change = afterAbandoned(unchanged(stored.visit), stored.silence);
    return { userId, visitId: stored.visitId, change, seenAt: now, setsSchedule: false };
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
