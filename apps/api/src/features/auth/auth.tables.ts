import type { UserId } from '@mogakgong/contract';

export type AuthTables = {
  login_session: {
    id: string;
    user_id: UserId;
    user_agent: string;
    created_at: Date;
    ended_at: Date | null;
  };
  refresh_token: {
    hash: Buffer;
    session_id: string;
    /** The token that was exchanged for this one. */
    replaces: Buffer | null;
    issued_at: Date;
    expires_at: Date;
    used_at: Date | null;
    revoked_at: Date | null;
  };
};
