import {
  type Appeal,
  type answerAppeal,
  chatContent,
  type PersonSanction,
  type RouteInput,
  type UserId,
} from '@mogakgong/contract';
import { ApiError, type Moderator } from '../../platform/http/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import type { CasesRepository } from './cases.repository.ts';
import { toPersonSanction } from './person-sanctions.ts';

interface AppealsParts {
  readonly repository: CasesRepository;
  readonly sanctions: SanctionsService;
}

/** What moderators do with sanctions that were imposed. Nobody has a say in their own. */
export function createAppealsService({ repository, sanctions }: AppealsParts) {
  async function list(moderator: Moderator): Promise<Appeal[]> {
    const rows = await sanctions.listAppeals();
    const people = await repository.findPeople(rows.flatMap(({ user_id }) => user_id ?? []));
    const appeals = await Promise.all(
      rows.map(async (row) => {
        const person = people.get(row.user_id as UserId);
        if (!person || !isWithin(moderator, person)) return [];
        const isOwn = row.decided_by === moderator.userId;
        return {
          ...toPersonSanction(row),
          person: { userId: person.id, nickname: person.nickname },
          isOwnDecision: isOwn && (await repository.hasOtherModerator(moderator, person)),
        };
      }),
    );
    return appeals.flat();
  }

  /** @throws ApiError `sanctionNotFound` or `caseNeedsAdmin`. */
  async function findPerson(moderator: Moderator, sanctionId: number) {
    const userId = await sanctions.findOwner(sanctionId);
    if (userId === null || userId === moderator.userId) throw new ApiError('sanctionNotFound');
    const person = (await repository.findPeople([userId])).get(userId);
    if (!person) throw new ApiError('sanctionNotFound');
    if (!isWithin(moderator, person)) throw new ApiError('caseNeedsAdmin');
    return person;
  }

  return {
    list,

    /**
     * @throws ApiError `invalidRequest`, `sanctionNotFound`, `caseNeedsAdmin`, `appealOfOwnDecision` or
     * `appealAnswered`.
     */
    async answer(
      moderator: Moderator,
      sanctionId: number,
      given: RouteInput<typeof answerAppeal>['body'],
    ): Promise<Appeal[]> {
      const answer = chatContent(given.answer);
      if (answer === null) throw new ApiError('invalidRequest');
      const person = await findPerson(moderator, sanctionId);
      const imposed = await sanctions.listOf(person.id);
      const appealed = imposed.find(({ id, appealed_at }) => id === sanctionId && appealed_at);
      if (!appealed) throw new ApiError('sanctionNotFound');
      const isOwn = appealed.decided_by === moderator.userId;
      if (isOwn && (await repository.hasOtherModerator(moderator, person))) {
        throw new ApiError('appealOfOwnDecision');
      }
      const { outcome } = given;
      await sanctions
        .answerAppeal({ sanctionId, outcome, answer, by: moderator.userId })
        .catch((error: unknown) => {
          const isLate = error instanceof ApiError && error.row === 'sanctionNotFound';
          throw isLate ? new ApiError('appealAnswered', { cause: error }) : error;
        });
      return list(moderator);
    },

    /** @throws ApiError `sanctionNotFound`, also if it does not hold any more, or `caseNeedsAdmin`. */
    async lift(moderator: Moderator, sanctionId: number): Promise<PersonSanction[]> {
      const person = await findPerson(moderator, sanctionId);
      await sanctions.lift({ sanctionId, by: moderator.userId });
      return (await sanctions.listOf(person.id)).map(toPersonSanction);
    },
  };
}

export type AppealsService = ReturnType<typeof createAppealsService>;

/** Whether a moderator may decide about a person. */
function isWithin(
  { userId, role }: Moderator,
  person: { readonly id: UserId; readonly role: string },
): boolean {
  return person.id !== userId && (role === 'admin' || person.role === 'member');
}
