import type { UserId } from '@mogakgong/contract';

export type PasskeysTables = {
  passkey: {
    id: string;
    user_id: UserId;
    credential_id: string;
    public_key: Buffer;
    sign_count: number;
    transports: string[];
    name: string;
    created_at: Date;
    last_used_at: Date | null;
    /** When the challenge was made that it signed last. */
    challenged_at: Date | null;
  };
};
