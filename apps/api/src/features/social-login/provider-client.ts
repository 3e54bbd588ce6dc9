import { emailProblem, type SocialProvider, socialProviders } from '@mogakgong/contract';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  enableNonRepudiationChecks,
  fetchProtectedResource,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Env } from '../../platform/env/index.ts';
import { readAtMost } from '../../platform/http/index.ts';
import { providerDefinitions, type SocialPerson } from './providers.ts';

/** A provider that takes longer for one answer counts as away; a log-in makes at most two requests. */
const ANSWER_TIMEOUT_MS = 3_000;
/** Larger than any real answer: Google's keys are 2 KB, a profile with all consents about as much. */
const ANSWER_MAX_BYTES = 64 * 1024;

/**
 * Asks a provider: follows no redirect and reads no more than an answer can have.
 * @throws Error for an answer that is late or too large.
 */
async function boundedFetch(address: string, options: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const response = await fetch(address, {
    ...options,
    redirect: 'manual',
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
  });
  const body = await readAtMost(response, ANSWER_MAX_BYTES);
  const { status, headers } = response;
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
}

interface ProviderClientOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Stands in for every host of the provider, with the same paths; http only on this machine. */
  readonly baseUrl?: string | undefined;
}

/** Secrets of the browser that asks for a log-in, besides ourselves. */
interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** We as a client of one provider (OAuth 2.0 code grant with state; PKCE, nonce and signature where it has them). */
function createProviderClient(id: SocialProvider, options: ProviderClientOptions) {
  const { clientId, clientSecret, baseUrl } = options;
  const { person, usesPkce, scope, ...definition } = providerDefinitions[id];
  const at = (address: string) =>
    baseUrl === undefined ? address : baseUrl.replace(/\/$/u, '') + new URL(address).pathname;
  const isDouble = baseUrl?.startsWith('http:') ?? false;
  const isOpenId = 'keysUrl' in person;
  const issuer = baseUrl ?? definition.issuer;
  const config = new Configuration(
    {
      issuer,
      authorization_endpoint: at(definition.authorizationUrl),
      token_endpoint: at(definition.tokenUrl),
      ...(isOpenId && { jwks_uri: at(person.keysUrl) }),
    },
    clientId,
    clientSecret,
  );
  config[customFetch] = (address, init) => boundedFetch(address, init as RequestInit);
  if (isDouble) allowInsecureRequests(config);
  if (isOpenId) enableNonRepudiationChecks(config);

  return {
    /** A development double on this machine answers for the provider. */
    isDouble,
    /** Within what a subject is one person: Kakao and Naver number people for each client. */
    realm: isOpenId ? issuer : clientId,

    /** A new log-in, and the address at which the person goes on with it. */
    async begin(redirectUri: string): Promise<{ url: string; secrets: FlowSecrets }> {
      const state = randomState();
      const nonce = randomNonce();
      const verifier = randomPKCECodeVerifier();
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        state,
        ...(scope !== undefined && { scope }),
        ...(isOpenId && { nonce }),
        ...(usesPkce && {
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
      });
      return { url: url.href, secrets: { state, nonce, verifier } };
    },

    /**
     * Exchanges what the provider added to the redirect URI.
     * @throws Error for anything that is not a complete, true and timely answer.
     */
    async finish(answer: URL, { state, nonce, verifier }: FlowSecrets): Promise<SocialPerson> {
      const tokens = await authorizationCodeGrant(
        config,
        answer,
        {
          expectedState: state,
          ...(isOpenId && { expectedNonce: nonce }),
          ...(usesPkce && { pkceCodeVerifier: verifier }),
        },
        // Naver asks for it again.
        id === 'naver' ? { state } : undefined,
      );
      if (isOpenId) {
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('the provider sent no ID token');
        return bounded(person.ofClaims(claims));
      }
      const profileUrl = new URL(at(person.profileUrl));
      const profile = await fetchProtectedResource(config, tokens.access_token, profileUrl, 'GET');
      if (!profile.ok) throw new Error(`the provider answered ${profile.status} for the profile`);
      return bounded(person.ofProfile(await profile.json()));
    },
  };
}

/** The subjects that a real provider can use for a person. */
const SUBJECT = /^[!-~]{1,255}$/u;
/** Only a suggestion: people choose their nickname themselves. */
const NICKNAME_MAX_LENGTH = 100;

/**
 * A person as we can keep them, in a cookie too.
 * @throws Error for one without a valid subject.
 */
function bounded({ email, nickname, ...person }: SocialPerson): SocialPerson {
  if (!SUBJECT.test(person.subject)) throw new Error('the provider sent no usable subject');
  return {
    ...person,
    email: email !== null && emailProblem(email) === null ? email : null,
    nickname: [...nickname].slice(0, NICKNAME_MAX_LENGTH).join(''),
  };
}

export type ProviderClient = ReturnType<typeof createProviderClient>;

/** A client of each provider that is configured. */
export function createProviderClients(env: Env): ReadonlyMap<SocialProvider, ProviderClient> {
  const clients = new Map<SocialProvider, ProviderClient>();
  for (const provider of socialProviders) {
    const name = provider.toUpperCase() as Uppercase<SocialProvider>;
    const clientId = env[`${name}_CLIENT_ID`];
    const clientSecret = env[`${name}_CLIENT_SECRET`];
    if (!clientId || !clientSecret) continue;
    const options = { clientId, clientSecret, baseUrl: env[`${name}_URL`] };
    clients.set(provider, createProviderClient(provider, options));
  }
  return clients;
}
