import type { Role, UserId } from '@mogakgong/contract';
import type { Generated } from 'kysely';

export type UsersTables = {
  users: {
    id: Generated<UserId>;
    /** Null for a social log-in without a verified address of its own. */
    email: string | null;
    /** Equal to `email` where it is known that the learner reads it. */
    verified_email: string | null;
    nickname: string;
    nickname_key: string | null;
    /** Null for accounts that log in by a provider only. */
    password_hash: string | null;
    introduction: string;
    profile_image: string;
    social_provider: string;
    created_at: Generated<Date>;
    /** The title they wear: one of those they won. */
    title_id: number | null;
    /** When the account is deleted. */
    deletes_at: Date | null;
    role: Generated<Role>;
  };
  consent: {
    user_id: UserId;
    name: string;
    version: string;
    accepted_at: Date;
  };
};
