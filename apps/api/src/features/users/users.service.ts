import { createHash } from 'node:crypto';
import {
  type ConsentName,
  type Consents,
  consentNames,
  consentsValidSince,
  consentVersions,
  emailProblem,
  findTitle,
  type Language,
  nicknameProblem,
  normalizeNickname,
  noTitle,
  type PrivacyState,
  passwordProblem,
  type SignupPayload,
  signupProblem,
  toWornTitle,
  type UserId,
  type WornTitle,
} from '@mogakgong/contract';
import type { RawBuilder } from 'kysely';
import type { Clock } from '../../platform/clock/index.ts';
import {
  brokenUniqueName,
  type Database,
  isForeignKeyBroken,
} from '../../platform/database/index.ts';
import { ApiError, type GuessOrigin } from '../../platform/http/index.ts';
import { isCommonPassword } from './common-passwords.ts';
import { isReservedNickname, nicknameKey } from './nickname-key.ts';
import { hashPassword, isPasswordRight } from './passwords.ts';
import {
  createUsersRepository,
  type NewUser,
  type ProfileRow,
  type StoredNickname,
  type UsersRepository,
} from './users.repository.ts';

interface UsersParts {
  readonly repository: UsersRepository;
  readonly clock: Clock;
  /** Called for a new account with an e-mail, before its owner can log in. */
  readonly onSignedUp: (userId: UserId, email: string) => Promise<void>;
}

/** The public identity of a learner. */
export interface UserCard {
  readonly nickname: string;
  readonly profileImage: string;
}

/** The profile of a learner for others in the same room. */
export interface TitledCard extends UserCard {
  /** The title they wear, its name in Korean. */
  readonly title: WornTitle | null;
}

/** A password that was right when it was checked. */
export interface CheckedPassword {
  readonly userId: UserId;
  /** SHA-256 of its stored hash, in hexadecimal: another one once the password was changed. */
  readonly passwordVersion: string;
}

/** The parts of a new account; it comes with all required consents. */
type NewAccount = Omit<NewUser, 'nicknameKey' | 'consents' | 'now'>;

/**
 * A new nickname as it is stored, with what it looks like.
 * @throws ApiError `nicknameMalformed`, or `nicknameTaken` for one that would pass for the site's staff.
 */
export function storedNickname(given: string): StoredNickname {
  const nickname = normalizeNickname(given);
  const problem = nicknameProblem(nickname);
  if (problem) throw new ApiError(problem);
  if (isReservedNickname(nickname)) throw new ApiError('nicknameTaken');
  return { nickname, nicknameKey: nicknameKey(nickname) };
}

/** `emailTaken` or `nicknameTaken` when a unique index of accounts refused a statement; else what was thrown. */
export function takenError(cause: unknown): unknown {
  const taken = brokenUniqueName(cause);
  if (taken === 'users_email_key') return new ApiError('emailTaken', { cause });
  if (taken?.startsWith('users_nickname')) return new ApiError('nicknameTaken', { cause });
  return cause;
}

/** The consents that an account needs, in their present versions. */
const presentConsents = consentNames.map((name) => ({ name, version: consentVersions[name] }));

/** @throws ApiError `nicknameTaken` or `emailTaken`. */
async function create(
  { repository, clock, onSignedUp }: UsersParts,
  account: NewAccount,
  extraInserts?: RawBuilder<unknown>,
): Promise<UserId> {
  const user = {
    ...account,
    ...storedNickname(account.nickname),
    consents: presentConsents,
    now: clock.now(),
  };
  const userId = await repository.insert(user, extraInserts).catch((cause: unknown) => {
    throw takenError(cause);
  });
  if (user.email !== null) await onSignedUp(userId, user.email);
  return userId;
}

/** The consents of learners. */
function createConsents({ repository, clock }: UsersParts) {
  return {
    async findConsents(userId: UserId): Promise<PrivacyState['consents']> {
      const rows = await repository.findConsents(userId);
      return rows.map(({ name, version, acceptedAt }) => ({
        name: name as ConsentName,
        version,
        acceptedAtMs: acceptedAt.getTime(),
      }));
    },

    /**
     * Agrees to the present version of every text.
     * @throws ApiError `consentsMissing` or `userNotFound`.
     */
    async giveConsents(userId: UserId, given: Consents): Promise<void> {
      if (consentNames.some((name) => !given[name])) throw new ApiError('consentsMissing');
      await repository.addConsents(userId, presentConsents, clock.now()).catch((cause: unknown) => {
        throw isForeignKeyBroken(cause) ? new ApiError('userNotFound', { cause }) : cause;
      });
    },
  };
}

function assertPasswordAllowed(password: string): void {
  const problem = passwordProblem(password);
  if (problem) throw new ApiError(problem);
  if (isCommonPassword(password)) throw new ApiError('commonPassword');
}

/** Accounts with a password. */
function createPasswordAccounts(parts: UsersParts) {
  const { repository } = parts;
  return {
    /**
     * Creates an account with its consents.
     * @throws ApiError with the first rule of specification §5 that is broken, or `unavailable`.
     */
    async signUp(payload: SignupPayload, address: string): Promise<UserId> {
      const problem = signupProblem(payload);
      if (problem) throw new ApiError(problem);
      const { password, ...profile } = payload;
      assertPasswordAllowed(password);
      const email = profile.email.trim();
      // A hash is work that a refusal need not cost; the unique indexes refuse what is taken meanwhile.
      const taken = await repository.findTaken(email, storedNickname(profile.nickname));
      if (taken) throw new ApiError(taken);
      const origin = { address, knownBrowser: null, isSignUp: true } as const;
      const passwordHash = await hashPassword(password, origin);
      return create(parts, { ...profile, email, verifiedEmail: null, passwordHash });
    },

    /** @throws ApiError `weakPassword`, `commonPassword` or `unavailable`. */
    async hashNewPassword(password: string, origin: GuessOrigin): Promise<string> {
      assertPasswordAllowed(password);
      return hashPassword(password, origin);
    },

    /**
     * The learner with this e-mail and password, or null; unknown addresses take as long.
     * @throws ApiError `unavailable`.
     */
    async findByPassword(
      email: string,
      password: string,
      origin: GuessOrigin,
    ): Promise<CheckedPassword | null> {
      const address = email.trim();
      const credentials = emailProblem(address) ? null : await repository.findCredentials(address);
      const passwordHash = credentials?.passwordHash ?? null;
      const isRight = await isPasswordRight(passwordHash, password, origin);
      if (!isRight || !credentials || passwordHash === null) return null;
      const passwordVersion = createHash('sha256').update(passwordHash).digest('hex');
      return { userId: credentials.userId, passwordVersion };
    },
  };
}

export function createUsersService(parts: UsersParts) {
  const { repository } = parts;
  return {
    /**
     * Creates an account without a password, with an e-mail that a provider has verified.
     * `extraInserts`, as for `repository.insert`, store how its owner logs in. A taken e-mail stays
     * with its account.
     * @throws ApiError `nicknameTaken`.
     */
    async signUpWithoutPassword(
      profile: Omit<NewAccount, 'passwordHash' | 'verifiedEmail'>,
      extraInserts: RawBuilder<unknown>,
    ): Promise<UserId> {
      const account = { ...profile, verifiedEmail: profile.email, passwordHash: null };
      try {
        return await create(parts, account, extraInserts);
      } catch (error) {
        if (!(error instanceof ApiError && error.row === 'emailTaken')) throw error;
        return create(parts, { ...account, email: null, verifiedEmail: null }, extraInserts);
      }
    },

    findPasswordEmail: repository.findPasswordEmail,

    findRestriction(userId: UserId, transaction?: Database) {
      const queries = transaction ? createUsersRepository(transaction) : repository;
      return queries.findRestriction(userId, consentsValidSince);
    },

    ...createConsents(parts),
    ...createPasswordAccounts(parts),

    /** The learner of an address, and the address as they wrote it. */
    async findByEmail(email: string): Promise<{ userId: UserId; email: string } | null> {
      const row = await repository.findCredentials(email);
      return row?.email ? { userId: row.userId, email: row.email } : null;
    },

    /** @throws ApiError when the address is missing, malformed or taken. */
    async assertEmailFree(email: string): Promise<void> {
      const address = email.trim();
      const problem = emailProblem(address);
      if (problem) throw new ApiError(problem);
      if (await repository.isEmailTaken(address)) throw new ApiError('emailTaken');
    },

    /** The public profiles of learners, by id; deleted accounts, and those going to be deleted, are missing. */
    async findCards(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, TitledCard>> {
      if (userIds.length === 0) return new Map();
      const rows = await repository.findCards(userIds);
      return new Map(
        rows.map(({ userId, nickname, profileImage, titleId }) => [
          userId,
          { nickname, profileImage, title: wornTitle(titleId, 'ko') },
        ]),
      );
    },

    /** @throws ApiError `userNotFound`. */
    async getProfile(userId: UserId, language: Language = 'ko') {
      const row = await repository.findProfile(userId);
      if (!row) throw new ApiError('userNotFound');
      return toProfile(row, language);
    },
  };
}

const toProfile = ({ titleId, ...profile }: ProfileRow, language: Language) => ({
  ...profile,
  selectedTitle: wornTitle(titleId, language) ?? noTitle(language),
});

/** Null for no title, and for one that this version does not know. */
function wornTitle(titleId: number | null, language: Language): WornTitle | null {
  const title = titleId === null ? undefined : findTitle(titleId);
  return title ? toWornTitle(title, language) : null;
}

export type UsersService = ReturnType<typeof createUsersService>;
