import { createHash, randomBytes } from 'node:crypto';
import type { DoublePerson } from './person.ts';

/** The person and request that an authorization code stands for. */
export interface Grant {
  readonly provider: string;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly nonce: string | null;
  readonly person: DoublePerson;
}

const LIFETIME_MS = 60_000;

const newKey = () => randomBytes(24).toString('base64url');

/** Codes, each exchanged once for an access token. */
export class Codes {
  readonly #codes = new Map<string, Grant & { readonly expiresAtMs: number }>();
  readonly #tokens = new Map<string, Grant>();

  issue(grant: Grant): string {
    const code = newKey();
    this.#codes.set(code, { ...grant, expiresAtMs: Date.now() + LIFETIME_MS });
    return code;
  }

  /** Null for a code that is unknown, used, too old, of another client or without its verifier. */
  exchange(provider: string, form: URLSearchParams): { token: string; grant: Grant } | null {
    const code = form.get('code') ?? '';
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    if (!grant || grant.provider !== provider || grant.expiresAtMs < Date.now()) return null;
    if (grant.redirectUri !== form.get('redirect_uri')) return null;
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (grant.challenge !== null && grant.challenge !== challenge) return null;
    const token = newKey();
    this.#tokens.set(token, grant);
    return { token, grant };
  }

  /** The person of the access token in a request. */
  holder(provider: string, authorization: string | undefined): DoublePerson | null {
    const grant = this.#tokens.get(/^Bearer (.+)$/iu.exec(authorization ?? '')?.[1] ?? '');
    return grant?.provider === provider ? grant.person : null;
  }
}
