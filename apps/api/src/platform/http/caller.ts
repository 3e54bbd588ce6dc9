import type { ErrorName, GrantedRole, Restriction, Role, UserId } from '@mogakgong/contract';
import { ApiError } from './api-error.ts';

/** The sender of a request according to its access token, and whether the account is suspended now. */
export interface Caller {
  readonly userId: UserId;
  /** The log-in of the token. */
  readonly sessionId: string;
  /** The reason why the account may use only a few routes; usually none. */
  readonly restriction?: Restriction;
}

/** The caller of a route for moderators or admins, with their present role in the database. */
export interface Moderator extends Caller {
  readonly role: GrantedRole;
}

/** A caller with the expiry of their token. */
export interface TokenHolder extends Caller {
  readonly expiresAtMs: number;
}

/** Resolves to the holder of an access token; rejects with ApiError `unauthorized`. */
export type Authenticate = (accessToken: string) => Promise<TokenHolder>;

/** Whether the caller's log-in was authenticated or re-authenticated recently. */
export type HasRecentLogIn = (caller: Caller) => Promise<boolean>;

/** The present role of an account: it is not in the token, so that its removal takes effect at once. */
export type FindRole = (userId: UserId) => Promise<Role>;

/**
 * Refuses callers without the role that a route requires.
 * @throws ApiError `moderatorsOnly` or `adminsOnly`.
 */
export function toModerator(caller: Caller, role: Role, access: GrantedRole): Moderator {
  if (role === 'admin' || role === access) return { ...caller, role };
  throw new ApiError(access === 'admin' ? 'adminsOnly' : 'moderatorsOnly');
}

const refusals = {
  leaving: 'accountLeaving',
  consents: 'consentsOutdated',
  suspended: 'accountSuspended',
} as const satisfies Record<Restriction, ErrorName>;

/**
 * Refuses a restricted account.
 * @param openTo the restrictions under which the call is allowed.
 * @throws ApiError `accountLeaving`, `consentsOutdated` or `accountSuspended`.
 */
export function refuseRestricted(
  { restriction }: Caller,
  openTo: readonly Restriction[] = [],
): void {
  if (restriction === undefined || openTo.includes(restriction)) return;
  throw new ApiError(refusals[restriction]);
}

const BEARER = /^Bearer +(\S+)$/iu;

/** The token of an Authorization header, or null. */
export function bearerOf(header: string | undefined): string | null {
  return BEARER.exec(header ?? '')?.[1] ?? null;
}
