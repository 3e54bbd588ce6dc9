import type { UserId } from '@mogakgong/contract';

/** Who sent a request, as its access token says. */
export interface Caller {
  readonly userId: UserId;
  /** The log-in that the token belongs to. */
  readonly sessionId: string;
}

/** A caller for as long as the access token says so. */
export interface TokenHolder extends Caller {
  readonly expiresAtMs: number;
}

/** Tells who an access token belongs to; rejects with ApiError `unauthorized`. */
export type Authenticate = (accessToken: string) => Promise<TokenHolder>;

/** Whether the log-in of a caller has shown lately who they are. */
export type HasRecentLogIn = (caller: Caller) => Promise<boolean>;

const BEARER = /^Bearer +(\S+)$/iu;

/** The token of an Authorization header, or null. */
export function bearerOf(header: string | undefined): string | null {
  return BEARER.exec(header ?? '')?.[1] ?? null;
}
