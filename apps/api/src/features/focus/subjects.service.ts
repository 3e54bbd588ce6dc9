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
import type { Clock } from '../../platform/clock/index.ts';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { FocusService } from './focus.service.ts';
import { createSubjectQueries, type SubjectName, type SubjectQueries } from './subject-queries.ts';

interface SubjectsParts {
  readonly database: Database;
  readonly focus: FocusService;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly checkedClock: Clock;
}

/** What is to change of a subject. */
interface SubjectChange {
  readonly name?: string | undefined;
  readonly position?: number | undefined;
}

/** The subjects of a learner, which only they see: focus is counted under the current one (decision 097). */
export function createSubjectsService(parts: SubjectsParts) {
  const { database, focus, notices, clock, checkedClock } = parts;
  const find = (userId: UserId) => createSubjectQueries(database).find(userId);

  /** Changes subjects, one change of a learner after the other, and tells every tab. */
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
    notices.send(userId, { kind: 'subjects' });
    return find(userId);
  }

  return {
    find,

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
    change(userId: UserId, id: SubjectId, change: SubjectChange): Promise<OwnSubjects> {
      const name = change.name === undefined ? null : toName(change.name);
      const { position } = change;
      return edit(userId, async (queries, { subjects }) => {
        const others = subjects.filter((subject) => subject.id !== id);
        if (others.length === subjects.length) throw new ApiError('subjectNotFound');
        if (name !== null) {
          assertFree(others, name);
          await queries.rename(userId, id, name);
        }
        if (position !== undefined) {
          const ids = others.map((subject) => subject.id);
          await queries.order(userId, ids.toSpliced(position, 0, id));
        }
      });
    },

    /** @throws ApiError `subjectNotFound`. */
    async remove(userId: UserId, id: SubjectId): Promise<OwnSubjects> {
      await focus.removeSubject(userId, id);
      return tell(userId);
    },

    /** @throws ApiError `subjectNotFound`. */
    async choose(userId: UserId, choice: SubjectChoice): Promise<SubjectReply> {
      const edited = await focus.chooseSubject(userId, choice);
      const { currentId } = await tell(userId);
      const serverNowMs = clock.now().getTime();
      return { currentId, clock: edited?.visit.clock ?? null, serverNowMs };
    },
  };
}

export type SubjectsService = ReturnType<typeof createSubjectsService>;

interface SubjectChoice {
  readonly subjectId: SubjectId | null;
  readonly press?: TimerPress | undefined;
}

function toName(text: string): SubjectName {
  const name = subjectName(text);
  if (name === null) throw new ApiError('subjectNameMalformed');
  return { name, key: subjectKey(name) };
}

function assertFree(subjects: OwnSubjects['subjects'], { key }: SubjectName): void {
  if (subjects.some(({ name }) => subjectKey(name) === key)) throw new ApiError('subjectExists');
}
