import type { UserId } from '@mogakgong/contract';

export type AuthTables = {
  login_session: {
    id: string;
    /** Null when the account is deleted. */
    user_id: UserId | null;
    user_agent: string;
    created_at: Date;
    /** When its owner last authenticated. */
    authenticated_at: Date;
    ended_at: Date | null;
    /** Of the latest refresh token. */
    token_hash: Buffer;
    /** Of the token that was exchanged for it. */
    previous_hash: Buffer | null;
    expires_at: Date;
    /** When it began, or its refresh token was exchanged last. */
    last_used_at: Date;
  };
  email_change: {
    user_id: UserId;
    new_email: string;
    token_hash: Buffer;
    expires_at: Date;
  };
  password_reset: {
    token_hash: Buffer;
    email: string;
    expires_at: Date;
  };
};
