import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose';
import type { Grant } from './codes.ts';
import { numberOf } from './person.ts';

/** Possible faults of an ID token. */
const idTokenLies = ['issuer', 'audience', 'nonce', 'signature', 'expired', 'subject'] as const;
export type IdTokenLie = (typeof idTokenLies)[number];

const KEY_ID = 'double';
/** Longer than any index of a database accepts. */
const LONG = 5_000;

interface IdTokenClient {
  readonly issuer: string;
  readonly clientId: string;
}

/** Signs ID tokens as Google does; with a lie, exactly one part is wrong. */
export async function createIdTokens() {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const stranger = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: KEY_ID, use: 'sig', alg: 'RS256' };
  const keys: JSONWebKeySet = { keys: [key] };
  return {
    keys,
    create({ nonce, person }: Grant, client: IdTokenClient, lie: string | null): Promise<string> {
      const claims = {
        nonce: lie === 'nonce' ? 'the nonce of somebody else' : nonce,
        name: person.name,
        ...(person.email !== null && {
          email: person.email,
          email_verified: person.isEmailVerified,
        }),
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })
        .setIssuer(lie === 'issuer' ? 'https://issuer.example.org' : client.issuer)
        .setAudience(lie === 'audience' ? 'another client' : client.clientId)
        .setSubject(lie === 'subject' ? '9'.repeat(LONG) : numberOf(person, 21))
        .setIssuedAt(lie === 'expired' ? '-2h' : undefined)
        .setExpirationTime(lie === 'expired' ? '-1h' : '1h')
        .sign(lie === 'signature' ? stranger.privateKey : privateKey);
    },
  };
}

export type IdTokens = Awaited<ReturnType<typeof createIdTokens>>;
