import type { SocialProvider } from '@mogakgong/contract';
import type { IDToken } from 'openid-client';
import * as z from 'zod/mini';

/** A person that has logged in at a provider. */
export interface SocialPerson {
  /** The provider's permanent id of the person. */
  readonly subject: string;
  readonly email: string | null;
  /** The provider has checked that the address is theirs. */
  readonly isEmailVerified: boolean;
  /** The person's own name there; may be empty. */
  readonly nickname: string;
}

interface ProviderDefinition {
  readonly issuer: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** Sent with the authorization request. */
  readonly scope?: string;
  readonly usesPkce: boolean;
  /** How the provider describes a person: a signed ID token, or an answer of its own form. */
  readonly person:
    | { readonly keysUrl: string; readonly ofClaims: (claims: IDToken) => SocialPerson }
    | { readonly profileUrl: string; readonly ofProfile: (body: unknown) => SocialPerson };
}

const text = z.optional(z.nullable(z.string()));
const truth = z.optional(z.boolean());

/** `GET /v2/user/me` of Kakao; what the person does not share is missing. */
const KakaoProfile = z.object({
  id: z.int(),
  kakao_account: z.optional(
    z.object({
      email: text,
      is_email_valid: truth,
      is_email_verified: truth,
      profile: z.optional(z.object({ nickname: text })),
    }),
  ),
});

/** `GET /v1/nid/me` of Naver. It does not say whether the address is verified. */
const NaverProfile = z.object({
  resultcode: z.literal('00'),
  response: z.object({ id: z.string().check(z.minLength(1)), email: text, nickname: text }),
});

/** Facts from the documentation of the three providers. */
export const providerDefinitions: Readonly<Record<SocialProvider, ProviderDefinition>> = {
  google: {
    issuer: 'https://accounts.google.com',
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    scope: 'openid email profile',
    usesPkce: true,
    person: {
      keysUrl: 'https://www.googleapis.com/oauth2/v3/certs',
      ofClaims: ({ sub, email, email_verified, name }) => ({
        subject: sub,
        email: typeof email === 'string' ? email : null,
        isEmailVerified: email_verified === true,
        nickname: typeof name === 'string' ? name : '',
      }),
    },
  },
  kakao: {
    issuer: 'https://kauth.kakao.com',
    authorizationUrl: 'https://kauth.kakao.com/oauth/authorize',
    tokenUrl: 'https://kauth.kakao.com/oauth/token',
    usesPkce: true,
    person: {
      profileUrl: 'https://kapi.kakao.com/v2/user/me',
      ofProfile(body) {
        const { id, kakao_account: account } = KakaoProfile.parse(body);
        return {
          subject: String(id),
          email: account?.email ?? null,
          isEmailVerified: account?.is_email_valid === true && account.is_email_verified === true,
          nickname: account?.profile?.nickname ?? '',
        };
      },
    },
  },
  naver: {
    issuer: 'https://nid.naver.com',
    authorizationUrl: 'https://nid.naver.com/oauth2.0/authorize',
    tokenUrl: 'https://nid.naver.com/oauth2.0/token',
    usesPkce: false,
    person: {
      profileUrl: 'https://openapi.naver.com/v1/nid/me',
      ofProfile(body) {
        const { id, email = null, nickname } = NaverProfile.parse(body).response;
        return { subject: id, email, isEmailVerified: false, nickname: nickname ?? '' };
      },
    },
  },
};
