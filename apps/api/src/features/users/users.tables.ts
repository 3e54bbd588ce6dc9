import type { UserId } from '@mogakgong/contract';
import type { Generated } from 'kysely';

export type UsersTables = {
  users: {
    id: Generated<UserId>;
    email: string;
    nickname: string;
    nickname_key: string | null;
    password_hash: string;
    introduction: string;
    profile_image: string;
    social_provider: string;
    created_at: Generated<Date>;
    /** The title they wear: one of those they won. */
    title_id: number | null;
  };
  consent: {
    user_id: UserId;
    name: string;
    version: string;
    accepted_at: Date;
  };
};
