import {
  type OwnSubjects,
  SUBJECTS_MAX,
  type SubjectId,
  type SubjectReply,
  subjectKey,
  subjectName,
  type TimerPress,
  type UserId,
} from '@mogakgong/contract';
import { retryConflict } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { FocusService, FocusUses } from './focus.service.ts';
import { createSubjectQueries, type SubjectName, type SubjectQueries } from './subject-queries.ts';
import { afterSubject } from './visit-change.ts';
import { type EditedVisit, editByLearner, editLockedVisits } from './visit-editor.ts';
import type { VisitQueries } from './visit-queries.ts';

/** A change of a subject. */
interface SubjectChange {
  readonly name?: string | undefined;
  readonly position?: number | undefined;
}

/** A learner's subjects, visible only to them unless they show the current one: focus is counted under the current one (decision 097). */
export function createSubjectsService(
  { database, notices, clock, checkedClock, rooms }: AppContext & FocusUses,
  focus: FocusService,
) {
  const find = (userId: UserId) => createSubjectQueries(database).find(userId);

  /** Changes subjects, serialised per learner, and tells every tab. */
  async function edit(
    userId: UserId,
    work: (queries: SubjectQueries, known: OwnSubjects) => Promise<void>,
  ): Promise<OwnSubjects> {
    await retryConflict(() =>
      database.transaction().execute(async (transaction) => {
        const queries = createSubjectQueries(transaction);
        await queries.lock(userId);
        await work(queries, await queries.find(userId));
      }),
    );
    return tell(userId);
  }

  function tell(userId: UserId): Promise<OwnSubjects> {
    notices.send(userId, { kind: 'changed', what: 'subjects' });
    return find(userId);
  }

  async function show(userId: UserId, isShown: boolean): Promise<OwnSubjects> {
    const shown = () => createSubjectQueries(database).show(userId, isShown);
    const change = await retryConflict(shown);
    if (change) rooms.publish('updated', [change]);
    return tell(userId);
  }

  return {
    find,
    show,

    /** @throws ApiError `subjectNameMalformed`, `subjectExists`, `tooManySubjects`. */
    add(userId: UserId, text: string): Promise<OwnSubjects> {
      const name = toName(text);
      return edit(userId, async (queries, { subjects }) => {
        assertFree(subjects, name);
        if (subjects.length >= SUBJECTS_MAX) throw new ApiError('tooManySubjects');
        await queries.add(userId, name, checkedClock.now());
      });
    },

    /** @throws ApiError `subjectNotFound`, `subjectNameMalformed`, `subjectExists`. */
    async change(userId: UserId, id: SubjectId, change: SubjectChange): Promise<OwnSubjects> {
      const name = change.name === undefined ? null : toName(change.name);
      const { position } = change;
      const edited = await edit(userId, async (queries, { subjects }) => {
        assertKnown(subjects, id);
        const others = subjects.filter((subject) => subject.id !== id);
        if (name !== null) {
          assertFree(others, name);
          await queries.rename(userId, id, name);
        }
        if (position !== undefined) {
          const ids = others.map((subject) => subject.id);
          await queries.order(userId, ids.toSpliced(position, 0, id));
        }
      });
      // Others see its new name.
      const isSeen = name !== null && edited.isShown && edited.currentId === id;
      return isSeen ? show(userId, true) : edited;
    },

    /**
     * Removes a subject; focus that runs under it continues without one.
     * @throws ApiError `subjectNotFound`.
     */
    async remove(userId: UserId, id: SubjectId): Promise<OwnSubjects> {
      const now = checkedClock.now();
      await focus.transact((queries, db) =>
        removeSubject(queries, createSubjectQueries(db), { userId, id, now }),
      );
      return tell(userId);
    },

    /**
     * Counts focus under a subject, or none, from the moment of the press as for moves of the timer (decision
     * 090): earlier time keeps its subject. Without a seat the next visit begins with it, unless it came from
     * a press, which was made in a visit that has ended.
     * @throws ApiError `subjectNotFound`.
     */
    async choose(userId: UserId, choice: SubjectChoice): Promise<SubjectReply> {
      const now = checkedClock.now();
      const [edited] = await focus.transact((queries, db) =>
        chooseSubject(queries, createSubjectQueries(db), { userId, now, ...choice }),
      );
      const { currentId } = await tell(userId);
      const serverNowMs = clock.now().getTime();
      return { currentId, clock: edited?.visit.clock ?? null, serverNowMs };
    },
  };
}

interface SubjectChoice {
  readonly subjectId: SubjectId | null;
  readonly press?: TimerPress | undefined;
}

async function removeSubject(
  queries: VisitQueries,
  stored: SubjectQueries,
  { userId, id, now }: { userId: UserId; id: SubjectId; now: Date },
): Promise<EditedVisit[]> {
  const { subjects, currentId } = await lockSubjects(queries, stored, userId);
  assertKnown(subjects, id);
  const withoutIt = editByLearner({ userId, now }, (heard, atMs) =>
    heard.visit.subjectId === id ? afterSubject(heard, null, atMs) : heard,
  );
  const edited = await editLockedVisits(queries, [withoutIt]);
  if (currentId === id) await stored.keepCurrent(userId, null);
  await stored.remove(userId, id, now);
  return edited;
}

async function chooseSubject(
  queries: VisitQueries,
  stored: SubjectQueries,
  { userId, subjectId, press, now }: SubjectChoice & { userId: UserId; now: Date },
): Promise<EditedVisit[]> {
  const { subjects } = await lockSubjects(queries, stored, userId);
  if (subjectId !== null) assertKnown(subjects, subjectId);
  const chosen = editByLearner({ userId, press, now }, (heard, atMs) =>
    afterSubject(heard, subjectId, atMs),
  );
  const edited = await editLockedVisits(queries, [chosen]);
  const [current] = edited.map(({ visit }) => visit.subjectId);
  if (current !== undefined) await stored.keepCurrent(userId, current);
  else if (!press) await stored.keepCurrent(userId, subjectId);
  return edited;
}

/** An enter at the same time waits for the subjects, or its new seat is found. */
async function lockSubjects(queries: VisitQueries, stored: SubjectQueries, userId: UserId) {
  await queries.lockSeats([userId]);
  await stored.lock(userId);
  return stored.find(userId);
}

function toName(text: string): SubjectName {
  const name = subjectName(text);
  if (name === null) throw new ApiError('subjectNameMalformed');
  return { name, key: subjectKey(name) };
}

function assertKnown(subjects: OwnSubjects['subjects'], subjectId: SubjectId): void {
  if (!subjects.some(({ id }) => id === subjectId)) throw new ApiError('subjectNotFound');
}

function assertFree(subjects: OwnSubjects['subjects'], { key }: SubjectName): void {
  if (subjects.some(({ name }) => subjectKey(name) === key)) throw new ApiError('subjectExists');
}
