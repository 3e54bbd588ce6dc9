import * as z from 'zod/mini';

/** Identity providers (specification §1). */
export const socialProviders = ['google', 'kakao', 'naver'] as const;
export const SocialProvider = z.enum(socialProviders);
export type SocialProvider = z.infer<typeof SocialProvider>;
