import type { SocialProvider, UserId } from '@mogakgong/contract';

export type SocialLoginTables = {
  social_identity: {
    provider: SocialProvider;
    realm: string;
    subject: string;
    user_id: UserId;
    email: string | null;
    linked_at: Date;
  };
};
