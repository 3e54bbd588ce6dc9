import { FRIENDS, type Role, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { type ConsentVersion, createConsentQueries } from './consent-queries.ts';
import { createRoleQueries } from './role-queries.ts';

export interface StoredNickname {
  readonly nickname: string;
  /** The visual form of the nickname. */
  readonly nicknameKey: string;
}

export interface NewUser extends StoredNickname {
  readonly email: string | null;
  /** The e-mail, if a provider has verified it. */
  readonly verifiedEmail: string | null;
  readonly passwordHash: string | null;
  readonly introduction: string;
  readonly profileImage: string;
  readonly socialProvider: string;
  readonly consents: readonly ConsentVersion[];
  readonly now: Date;
}

/** The public profile of a learner. */
interface CardRow {
  readonly userId: UserId;
  readonly nickname: string;
  readonly profileImage: string;
  readonly titleId: number | null;
}

/** A learner's own profile. */
export interface ProfileRow extends CardRow {
  /** Empty for an account without one. */
  readonly email: string;
  readonly introduction: string;
  readonly role: Role;
  readonly hasPassword: boolean;
  readonly hasWonTitle: boolean;
  readonly hasFriendRequest: boolean;
}

/** SQL: the ids of the accounts that are going to be deleted and are invisible to others. */
export const leavingUsers = sql`(select id from users where deletes_at is not null)`;

/**
 * SQL for what others see of learners: a table of user_id, nickname, profile_image and title_id; and is_leaving, of an
 * account that is going to be deleted.
 */
export const userCards = sql`(
  select id as user_id, nickname, profile_image, title_id, deletes_at is not null as is_leaving
  from users
)`;

/** SQL for the moment at which a learner signed up. */
export const signedUpAt = (userId: UserId) =>
  sql<Date>`(select created_at from users where id = ${userId})`;

/**
 * A part of a WITH clause: `title_changed` (user_id) puts on a title, or takes it off; without a row
 * when that changes nothing. A foreign key refuses what was not won.
 */
export function changeTitle(userId: UserId, titleId: number | null): RawBuilder<unknown> {
  return sql`
    title_changed as (
      update users set title_id = ${titleId}
      where id = ${userId} and title_id is distinct from ${titleId}::integer
      returning id as user_id
    )`;
}

/**
 * A part of a WITH clause: `picture_changed` (user_id) shows the picture in `chosen` (address); without
 * a row when that changes nothing.
 */
export function changeProfileImage(userId: UserId, chosen: RawBuilder<unknown>) {
  return sql`
    picture_changed as (
      update users set profile_image = address from ${chosen}
      where id = ${userId} and profile_image is distinct from address
      returning id as user_id
    )`;
}

/**
 * A part of a WITH clause: `nickname_changed` (user_id) gives a learner another nickname; without a row
 * when that changes nothing. A unique index refuses what is taken.
 */
export function changeNickname(
  userId: UserId,
  { nickname, nicknameKey }: StoredNickname,
): RawBuilder<unknown> {
  return sql`
    nickname_changed as (
      update users set nickname = ${nickname}, nickname_key = ${nicknameKey}
      where id = ${userId} and nickname <> ${nickname}
      returning id as user_id
    )`;
}

/**
 * A part of a WITH clause: `password_changed` (user_id) gives a learner a new password.
 * @param owner SQL of their id; null for nobody.
 */
export function setPassword(owner: RawBuilder<unknown>, passwordHash: string): RawBuilder<unknown> {
  return sql`
    password_changed as (
      update users set password_hash = ${passwordHash} where id = (${owner}) returning id as user_id
    )`;
}

/**
 * SQL for one row (user_id, made_at) of a learner, locked until the transaction ends; no row if their password
 * is no longer the one that was checked. Log-ins share the lock, so that a new password waits for
 * them; a change of the password has it alone, and the statement after it finds those log-ins.
 * @param owner SQL of their id.
 * @param passwordVersion of the password that was checked; null if none was.
 */
export function lockLearner(
  owner: RawBuilder<unknown>,
  passwordVersion: string | null,
  lock: 'share' | 'no key update',
): RawBuilder<unknown> {
  return sql`
    select id as user_id, created_at as made_at from users
    where id = (${owner})
      and (${passwordVersion}::text is null
           or encode(sha256(convert_to(password_hash, 'UTF8')), 'hex') = ${passwordVersion})
    for ${sql.raw(lock)}`;
}

/**
 * SQL that locks two learners until the transaction ends, in an order in which nobody waits for the other:
 * what a statement after it finds between them does not change meanwhile.
 */
export function lockPair(userId: UserId, otherId: UserId): RawBuilder<unknown> {
  return sql`
    select from users where id in (${userId}, ${otherId}) order by id for no key update`;
}

/**
 * Stores one row that changes how a learner logs in, unless the log-in that asks for it has ended: a new
 * password, and a second row for the same learner, waits for the lock, or comes first.
 * @param store makes the statement from a FROM item `log_in` (user_id): one row, or none once it ended.
 * @param andThen stores what else changes with the row, in the same transaction.
 * @returns whether the row was written.
 */
export function storeWhileLoggedIn(
  db: Database,
  { userId, sessionId }: Caller,
  store: (logIn: RawBuilder<unknown>) => RawBuilder<unknown>,
  andThen: (transaction: Database) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const logIn = sql`(
    select user_id from standing_log_in where id = ${sessionId} and user_id = ${userId}
  ) as log_in`;
  return db.transaction().execute(async (transaction) => {
    await lockLearner(sql`${userId}`, null, 'no key update').execute(transaction);
    const { numAffectedRows } = await store(logIn).execute(transaction);
    if (numAffectedRows !== 1n) return false;
    await andThen(transaction);
    return true;
  });
}

/**
 * A part of a WITH clause: `email_changed` (user_id) gives learners the e-mail in `chosen` (user_id,
 * new_email). A unique index refuses what is taken.
 * @param isProven whether it is known that they read the mails to it; a change of case keeps what is known.
 */
export function changeEmail(isProven: boolean): RawBuilder<unknown> {
  return sql`
    email_changed as (
      update users
      set email = new_email,
          verified_email = case
            when ${isProven} or lower(verified_email) = lower(new_email) then new_email end
      from chosen
      where id = chosen.user_id and (email is distinct from new_email
        or ${isProven} and verified_email is distinct from new_email)
      returning id as user_id
    )`;
}

/**
 * A part of a WITH clause: `first_proof` (user_id) notes that a learner reads the mails to their e-mail;
 * without a row where that was known.
 */
export function proveEmail(userId: UserId): RawBuilder<unknown> {
  return sql`
    first_proof as (
      update users set verified_email = email
      where id = ${userId} and verified_email is distinct from email
      returning id as user_id
    )`;
}

/** A request to be friends waits for an answer of this learner, from an account that is not going to be deleted. */
const hasFriendRequest = sql<boolean>`exists (
  select from open_friend_request as request
  where request.asked_id = users.id
    and request.asked_at > now() - make_interval(days => ${sql.lit(FRIENDS.requestDays)})
    and request.asker_id not in ${leavingUsers}
)`;

/** The only queries on the users' tables. */
export function createUsersRepository(db: Database) {
  return {
    /**
     * Stores a learner and the consents in one statement; unique indexes refuse what is taken.
     * `extraInserts`: further parts of its WITH clause, which may read the new `learner` (id).
     */
    async insert(user: NewUser, extraInserts: RawBuilder<unknown> = sql``): Promise<UserId> {
      const names = user.consents.map((consent) => consent.name);
      const versions = user.consents.map((consent) => consent.version);
      const { rows } = await sql<{ id: UserId }>`
        with learner as (
          insert into users (email, verified_email, nickname, nickname_key, password_hash,
                             introduction, profile_image, social_provider, created_at)
          values (${user.email}, ${user.verifiedEmail}, ${user.nickname}, ${user.nicknameKey},
                  ${user.passwordHash}, ${user.introduction}, ${user.profileImage},
                  ${user.socialProvider}, ${user.now})
          returning id
        ), consents as (
          insert into consent (user_id, name, version, accepted_at)
          select learner.id, given.name, given.version, ${user.now}
          from learner, unnest(${names}::text[], ${versions}::text[]) as given (name, version)
        ) ${extraInserts}
        select id from learner`.execute(db);
      const [learner] = rows;
      if (!learner) throw new Error('an inserted user has no id');
      return learner.id;
    },

    /** The field of a new account that another one has already; null for none. */
    async findTaken(
      email: string,
      { nickname, nicknameKey }: StoredNickname,
    ): Promise<'emailTaken' | 'nicknameTaken' | null> {
      const { rows } = await sql<{ taken: 'emailTaken' | 'nicknameTaken' | null }>`
        select case
          when exists (select from users where lower(email) = lower(${email})) then 'emailTaken'
          when exists (select from users where lower(nickname) = lower(${nickname}))
            or exists (select from users where nickname_key = ${nicknameKey}) then 'nicknameTaken'
        end as taken`.execute(db);
      return rows[0]?.taken ?? null;
    },

    async isEmailTaken(email: string): Promise<boolean> {
      const { rows } = await sql`
        select from users where lower(email) = lower(${email})`.execute(db);
      return rows.length > 0;
    },

    async findCredentials(email: string) {
      const { rows } = await sql<{
        userId: UserId;
        email: string | null;
        passwordHash: string | null;
      }>`
        select id as "userId", email, password_hash as "passwordHash" from users
        where lower(email) = lower(${email})`.execute(db);
      return rows[0];
    },

    /** The address with which a learner logs in by a password; null if they have no password. */
    async findPasswordEmail(userId: UserId): Promise<string | null> {
      const { rows } = await sql<{ email: string | null }>`
        select email from users where id = ${userId} and password_hash is not null`.execute(db);
      return rows[0]?.email ?? null;
    },

    /** The public profiles of learners: none of accounts that are going to be deleted. */
    async findCards(userIds: readonly UserId[]) {
      const { rows } = await sql<CardRow>`
        select id as "userId", nickname, profile_image as "profileImage", title_id as "titleId"
        from users
        where id = any(${userIds}::bigint[]) and deletes_at is null`.execute(db);
      return rows;
    },

    async findProfile(userId: UserId) {
      const { rows } = await sql<ProfileRow>`
        select id as "userId", coalesce(email, '') as email, nickname, introduction,
               profile_image as "profileImage", title_id as "titleId", role,
               password_hash is not null as "hasPassword",
               exists (select from title_winner where user_id = users.id) as "hasWonTitle",
               ${hasFriendRequest} as "hasFriendRequest"
        from users where id = ${userId}`.execute(db);
      return rows[0];
    },
    ...createConsentQueries(db),
    ...createRoleQueries(db),
  };
}

export type UsersRepository = ReturnType<typeof createUsersRepository>;
