import { type DoublePerson, numberOf } from './person.ts';

/** The responses of one provider, by its documentation. */
export interface Company {
  readonly name: string;
  readonly authorizePath: string;
  readonly tokenPath: string;
  readonly profilePath?: string;
  /** Additional fields of the token response. */
  readonly token: object;
  /** The response to a code that cannot be exchanged. */
  readonly badCode: { readonly status: number; readonly body: object };
  readonly profile?: (person: DoublePerson) => object;
}

export const companies: Readonly<Record<string, Company>> = {
  google: {
    name: 'Google',
    authorizePath: '/o/oauth2/v2/auth',
    tokenPath: '/token',
    token: { token_type: 'Bearer', expires_in: 3599, scope: 'openid email profile' },
    badCode: {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Bad Request' },
    },
  },
  kakao: {
    name: '카카오',
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    profilePath: '/v2/user/me',
    token: {
      token_type: 'bearer',
      expires_in: 21_599,
      refresh_token: 'kakao-refresh-token',
      refresh_token_expires_in: 5_183_999,
      scope: 'account_email profile_nickname',
    },
    badCode: {
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: 'authorization code not found for code',
        error_code: 'KOE320',
      },
    },
    profile: (person) => ({
      id: Number(numberOf(person, 10)),
      connected_at: '2026-11-22T00:00:00Z',
      properties: { nickname: person.name },
      kakao_account: {
        profile_nickname_needs_agreement: false,
        profile: { nickname: person.name, is_default_nickname: false },
        has_email: person.email !== null,
        email_needs_agreement: person.email === null,
        ...(person.email !== null && {
          is_email_valid: true,
          is_email_verified: person.isEmailVerified,
          email: person.email,
        }),
      },
    }),
  },
  naver: {
    name: '네이버',
    authorizePath: '/oauth2.0/authorize',
    tokenPath: '/oauth2.0/token',
    profilePath: '/v1/nid/me',
    token: { token_type: 'bearer', expires_in: '3600', refresh_token: 'naver-refresh-token' },
    badCode: {
      status: 200,
      body: { error: 'invalid_request', error_description: 'no valid data in session' },
    },
    profile: (person) => ({
      resultcode: '00',
      message: 'success',
      response: {
        id: `naver-${numberOf(person, 30)}`,
        nickname: person.name,
        name: person.name,
        ...(person.email !== null && { email: person.email }),
      },
    }),
  },
};
