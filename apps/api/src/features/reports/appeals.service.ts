import {
  type Appeal,
  type answerAppeal,
  chatContent,
  type PersonSanction,
  type Role,
  type RouteInput,
  type UserId,
} from '@mogakgong/contract';
import { ApiError, type Moderator } from '../../platform/http/index.ts';
import type { PushService } from '../push/index.ts';
import type { StoredSanction } from '../sanctions/index.ts';
import { type CasesParts, toPersonSanction } from './cases.service.ts';

interface Person {
  readonly id: UserId;
  readonly role: Role;
}

/**
 * The reason for leaving an appeal to another moderator: the caller decided, or reported the person. Null if
 * the caller may answer, which includes the case that nobody else can.
 */
function createRefusals({ repository, sanctions }: CasesParts) {
  return async ({ userId }: Moderator, appealed: readonly StoredSanction[]) => {
    const [moderators, reporters] = await Promise.all([
      repository.findModerators(),
      repository.findReportingModerators(appealed.flatMap(({ caseId }) => caseId ?? [])),
    ]);
    const hasReported = (id: UserId, caseId: number | null) =>
      reporters.some((reporter) => reporter.caseId === caseId && reporter.userId === id);
    return ({ decidedBy, caseId }: StoredSanction, person: Person) => {
      const hasOther = moderators.some(
        (other) =>
          other.userId !== userId &&
          isWithin(other, person) &&
          !hasReported(other.userId, caseId) &&
          !sanctions.inForce.isSuspended(other.userId),
      );
      if (!hasOther) return null;
      if (hasReported(userId, caseId)) return 'caseOfReporter';
      return decidedBy === userId ? 'appealOfOwnDecision' : null;
    };
  };
}

/** Moderators' work with imposed sanctions. Nobody has access to their own. */
export function createAppealsService(parts: CasesParts, push: PushService) {
  const { repository, sanctions } = parts;
  const findRefusals = createRefusals(parts);

  async function list(moderator: Moderator): Promise<Appeal[]> {
    const rows = await sanctions.listAppeals();
    const [people, refusalOf] = await Promise.all([
      repository.findPeople(rows.flatMap((row) => row.userId ?? [])),
      findRefusals(moderator, rows),
    ]);
    return rows.flatMap((row) => {
      const person = people.get(row.userId as UserId);
      if (!person || !isWithin(moderator, person)) return [];
      const refusal = refusalOf(row, person);
      return {
        ...toPersonSanction(row),
        person: { userId: person.id, nickname: person.nickname },
        isOwnDecision: refusal === 'appealOfOwnDecision',
        isReporter: refusal === 'caseOfReporter',
      };
    });
  }

  /** @throws ApiError `sanctionNotFound` or `caseNeedsAdmin`. */
  async function findImposed(moderator: Moderator, sanctionId: number) {
    const sanction = await sanctions.find(sanctionId);
    const userId = sanction?.userId ?? null;
    if (userId === null || userId === moderator.userId) throw new ApiError('sanctionNotFound');
    const person = (await repository.findPeople([userId])).get(userId);
    if (!sanction || !person) throw new ApiError('sanctionNotFound');
    if (!isWithin(moderator, person)) throw new ApiError('caseNeedsAdmin');
    return { sanction, person };
  }

  return {
    list,

    /**
     * @throws ApiError `invalidRequest`, `sanctionNotFound`, `caseNeedsAdmin`, `appealOfOwnDecision`,
     * `caseOfReporter` or `appealAnswered`.
     */
    async answer(
      moderator: Moderator,
      sanctionId: number,
      given: RouteInput<typeof answerAppeal>['body'],
    ): Promise<Appeal[]> {
      const answer = chatContent(given.answer);
      if (answer === null) throw new ApiError('invalidRequest');
      const { sanction, person } = await findImposed(moderator, sanctionId);
      if (!sanction.appealedAt) throw new ApiError('sanctionNotFound');
      const refusal = (await findRefusals(moderator, [sanction]))(sanction, person);
      if (refusal !== null) throw new ApiError(refusal);
      const { outcome } = given;
      await sanctions
        .answerAppeal({ sanctionId, outcome, answer, by: moderator.userId })
        .catch((error: unknown) => {
          const isLate = error instanceof ApiError && error.row === 'sanctionNotFound';
          throw isLate ? new ApiError('appealAnswered', { cause: error }) : error;
        });
      void push.send([person.id], { id: `appeal:${sanctionId}`, kind: 'decision' });
      return list(moderator);
    },

    /** @throws ApiError `sanctionNotFound`, also if it is no longer in force, or `caseNeedsAdmin`. */
    async lift(moderator: Moderator, sanctionId: number): Promise<PersonSanction[]> {
      const { person } = await findImposed(moderator, sanctionId);
      await sanctions.lift({ sanctionId, by: moderator.userId });
      return (await sanctions.listOf(person.id)).map(toPersonSanction);
    },
  };
}

/** Whether a moderator may decide about a person. */
function isWithin({ userId, role }: Pick<Moderator, 'userId' | 'role'>, person: Person): boolean {
  return person.id !== userId && (role === 'admin' || person.role === 'member');
}
