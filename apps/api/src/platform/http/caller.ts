import type { ErrorName, GrantedRole, Restriction, Role, UserId } from '@mogakgong/contract';
import { ApiError } from './api-error.ts';

/** Who sent a request, as its access token says; whether the account is suspended, as is known now. */
export interface Caller {
  readonly userId: UserId;
  /** The log-in that the token belongs to. */
  readonly sessionId: string;
  /** Why the account may use few routes; none usually. */
  readonly restriction?: Restriction;
}

/** The caller of a route for moderators or admins, with the role that the database says they have. */
export interface Moderator extends Caller {
  readonly role: GrantedRole;
}

/** A caller for as long as the access token says so. */
export interface TokenHolder extends Caller {
  readonly expiresAtMs: number;
}

/** Tells who an access token belongs to; rejects with ApiError `unauthorized`. */
export type Authenticate = (accessToken: string) => Promise<TokenHolder>;

/** Whether the log-in of a caller has shown lately who they are. */
export type HasRecentLogIn = (caller: Caller) => Promise<boolean>;

/** The role of an account now: it is not in the token, so that it ends at once. */
export type FindRole = (userId: UserId) => Promise<Role>;

/**
 * Refuses who does not have the role that a route is for.
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
 * Refuses an account that may use few routes.
 * @param openTo the restrictions under which this may be done.
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
