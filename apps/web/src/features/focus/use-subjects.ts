import {
  addSubject,
  changeSubject,
  chooseSubject as chooseSubjectRoute,
  getSubjects,
  type OwnSubjects,
  removeSubject,
  type Subject,
  type SubjectId,
  showSubject,
  subjectKey,
  type UserId,
} from '@mogakgong/contract';
import { call, type Loaded } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { unsentSubjectId } from '../../shared/today/own-clock.ts';
import { useOwnClock } from '../../shared/today/today.ts';
import { subjectsKey, takeCurrentSubject } from './current-subject.ts';
import { chooseSubject } from './own-timer.ts';

/** A learner's subjects and their actions. */
export interface SubjectsOf extends Loaded<OwnSubjects> {
  /** The subject that is or will be current; undefined until that is known. */
  readonly currentId: SubjectId | null | undefined;
  readonly choose: (subjectId: SubjectId | null) => void;
  /** Adds a subject and makes it current; resolves to whether that was stored. */
  readonly add: (name: string) => Promise<boolean>;
  /** Shows the current subject on the learner's tile, or hides it. */
  readonly show: (isShown: boolean) => Promise<unknown>;
}

/**
 * A learner's subjects.
 * @param isSeated in a seat a choice is a press, which is kept without a connection.
 */
export function useSubjects(userId: UserId, isSeated: boolean): SubjectsOf {
  const own = useLoaded(subjectsKey(userId), () => call(getSubjects, {}), {
    refetchOnWindowFocus: 'always',
  });
  const unsent = useOwnClock(unsentSubjectId);
  const choose = isSeated
    ? chooseSubject
    : (id: SubjectId | null) => void chooseBeforeEntering(userId, id);
  return {
    ...own,
    choose,
    currentId: unsent === undefined ? own.value?.currentId : unsent,
    async add(name) {
      const subjects = await editSubjects(userId, () => call(addSubject, { body: { name } }));
      const added = subjects?.find((subject) => subjectKey(subject.name) === subjectKey(name));
      if (added) choose(added.id);
      return added !== undefined;
    },
    show: (isShown) => editSubjects(userId, () => call(showSubject, { body: { isShown } })),
  };
}

/** Shows a choice at once, and reverts it when it cannot be stored. */
async function chooseBeforeEntering(userId: UserId, subjectId: SubjectId | null): Promise<void> {
  takeCurrentSubject(userId, subjectId);
  try {
    const { currentId } = await call(chooseSubjectRoute, { body: { subjectId } });
    takeCurrentSubject(userId, currentId);
  } catch (error) {
    notifyFailure(error);
    void queryClient.invalidateQueries({ queryKey: subjectsKey(userId) });
  }
}

/** Changes the list and shows the answer; null on failure, which is announced. */
async function editSubjects(
  userId: UserId,
  change: () => Promise<OwnSubjects>,
): Promise<readonly Subject[] | null> {
  try {
    const own = await change();
    queryClient.setQueryData(subjectsKey(userId), own);
    return own.subjects;
  } catch (error) {
    notifyFailure(error);
    void queryClient.invalidateQueries({ queryKey: subjectsKey(userId) });
    return null;
  }
}

interface SubjectEdit {
  readonly name?: string;
  readonly position?: number;
}

/** Changes of the list. A failure is announced; each resolves to whether it succeeded. */
export function subjectEdits(userId: UserId) {
  const edit = async (change: () => Promise<OwnSubjects>) =>
    (await editSubjects(userId, change)) !== null;
  return {
    change: ({ id }: Subject, body: SubjectEdit) =>
      edit(() => call(changeSubject, { params: { subjectId: id }, body })),
    remove: ({ id }: Subject) => edit(() => call(removeSubject, { params: { subjectId: id } })),
    /** The name of a removed subject brings it back. */
    restore: ({ name }: Subject) => edit(() => call(addSubject, { body: { name } })),
  };
}
