import * as z from 'zod/mini';

/** The companies through which one can log in (specification §1). */
export const socialProviders = ['google', 'kakao', 'naver'] as const;
export const SocialProvider = z.enum(socialProviders);
export type SocialProvider = z.infer<typeof SocialProvider>;
