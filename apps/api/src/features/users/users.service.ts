import {
  consentNames,
  consentVersions,
  emailProblem,
  findTitle,
  type Language,
  normalizeNickname,
  noTitle,
  type SignupPayload,
  signupProblem,
  toWornTitle,
  type UserId,
  type WornTitle,
} from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { brokenUniqueName } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import { isCommonPassword } from './common-passwords.ts';
import { isReservedNickname, nicknameKey } from './nickname-key.ts';
import { hashPassword, isPasswordRight } from './passwords.ts';
import type { UsersRepository } from './users.repository.ts';

interface UsersParts {
  readonly repository: UsersRepository;
  readonly clock: Clock;
}

/** Who a learner is to others. */
export interface UserCard {
  readonly nickname: string;
  readonly profileImage: string;
}

/** What others see of a learner who sits with them. */
export interface TitledCard extends UserCard {
  /** The title they wear, its name in Korean. */
  readonly title: WornTitle | null;
}

export function createUsersService({ repository, clock }: UsersParts) {
  return {
    /**
     * Creates an account with its consents.
     * @throws ApiError with the first rule of specification §5 that is broken.
     */
    async signUp(payload: SignupPayload): Promise<UserId> {
      const problem = signupProblem(payload);
      if (problem) throw new ApiError(problem);
      if (isCommonPassword(payload.password)) throw new ApiError('commonPassword');
      const nickname = normalizeNickname(payload.nickname);
      if (isReservedNickname(nickname)) throw new ApiError('nicknameTaken');
      const passwordHash = await hashPassword(payload.password);
      try {
        return await repository.insert({
          email: payload.email.trim(),
          nickname,
          nicknameKey: nicknameKey(nickname),
          passwordHash,
          introduction: payload.introduction,
          profileImage: payload.profileImage,
          socialProvider: payload.socialProvider,
          consents: consentNames.map((name) => ({ name, version: consentVersions[name] })),
          now: clock.now(),
        });
      } catch (error) {
        const taken = brokenUniqueName(error);
        if (taken === 'users_email_key') throw new ApiError('emailTaken', { cause: error });
        if (taken !== null) throw new ApiError('nicknameTaken', { cause: error });
        throw error;
      }
    },

    /** @throws ApiError when the address is missing, malformed or taken. */
    async assertEmailFree(email: string): Promise<void> {
      const address = email.trim();
      const problem = emailProblem(address);
      if (problem) throw new ApiError(problem);
      if (await repository.isEmailTaken(address)) throw new ApiError('emailTaken');
    },

    /** The learner whose e-mail and password these are, or null; unknown addresses take as long. */
    async findByPassword(email: string, password: string): Promise<UserId | null> {
      const address = email.trim();
      const credentials = emailProblem(address) ? null : await repository.findCredentials(address);
      const isRight = await isPasswordRight(credentials?.password_hash, password);
      return isRight && credentials ? credentials.id : null;
    },

    /** What others see of learners, by id; those who are gone are missing. */
    async findCards(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, TitledCard>> {
      if (userIds.length === 0) return new Map();
      const rows = await repository.findCards(userIds);
      return new Map(
        rows.map((row) => [
          row.id,
          {
            nickname: row.nickname,
            profileImage: row.profile_image,
            title: wornTitle(row.title_id, 'ko'),
          },
        ]),
      );
    },

    /** @throws ApiError `userNotFound`. */
    async getProfile(userId: UserId, language: Language = 'ko') {
      const row = await repository.findProfile(userId);
      if (!row) throw new ApiError('userNotFound');
      return {
        userId: row.id,
        email: row.email,
        nickname: row.nickname,
        introduction: row.introduction,
        profileImage: row.profile_image,
        selectedTitle: wornTitle(row.title_id, language) ?? noTitle(language),
      };
    },
  };
}

/** Null for no title, and for one that this version does not know. */
function wornTitle(titleId: number | null, language: Language): WornTitle | null {
  const title = titleId === null ? undefined : findTitle(titleId);
  return title ? toWornTitle(title, language) : null;
}

export type UsersService = ReturnType<typeof createUsersService>;
