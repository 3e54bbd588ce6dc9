import {
  DEFAULT_PROFILE_IMAGE,
  getProfile,
  login,
  logout,
  type Restriction,
  type RouteReply,
  type WornTitle,
} from '@mogakgong/contract';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import {
  call,
  onAccessTokenStored,
  readAccessToken,
  storeAccessToken,
} from '../../shared/api/index.ts';
import { keptOfflineKeys, storageKeys } from '../../shared/lib/storage-keys.ts';
import { writeStored } from '../../shared/lib/stored.ts';

/** The storage key of the auth state (specification §4, §9). */
export const SESSION_KEY = storageKeys.session;

/**
 * The logged-in learner from the last profile answer (specification §3): shown before the profile is asked
 * for again, also by prerendered pages.
 */
export interface SessionUser {
  readonly userId: number;
  readonly uid: string;
  readonly email: string;
  readonly nickname: string;
  readonly profileImageUrl: string;
  /** The worn title; null until the profile is known. */
  readonly title: WornTitle | null;
}

export interface Session {
  readonly isLoggedIn: boolean;
  readonly token: string | null;
  readonly user: SessionUser | null;
}

const loggedOut: Session = { isLoggedIn: false, token: null, user: null };

/** The log-in of this browser. Persisted, and the same in every tab. */
export const useSession = create<Session>()(
  persist((): Session => loggedOut, { name: SESSION_KEY, version: 1 }),
);

/** The claims of an access token, unverified: only the server decides whether a token is valid. */
function readClaims(token: string): Record<string, unknown> {
  try {
    const payload = token.split('.')[1] ?? '';
    const bytes = Uint8Array.from(
      atob(payload.replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

/** The token's `userId` or `id` claim, else 0 (specification §3, §7, §8). */
export function userIdOfToken(token: string): number {
  const { userId, id } = readClaims(token);
  return [userId, id].find(isUserId) ?? 0;
}

function isUserId(claim: unknown): claim is number {
  return typeof claim === 'number' && Number.isSafeInteger(claim) && claim > 0;
}

const RESTRICTIONS: readonly unknown[] = ['leaving', 'consents', 'suspended'];

/** The account's restriction from the claims of the session's token; usually null. */
export function restrictionOf({ token }: Session): Restriction | null {
  const { only } = readClaims(token ?? '');
  return RESTRICTIONS.includes(only) ? (only as Restriction) : null;
}

/** `restrictionOf` the current session. */
export function useRestriction(): Restriction | null {
  return useSession(restrictionOf);
}

/** The id of the log-in that a token belongs to, or null. */
export function sessionIdOfToken(token: string): string | null {
  const { sid } = readClaims(token);
  return typeof sid === 'string' ? sid : null;
}

/**
 * Logs in with e-mail and password; throws `ApiError` with `fallback` as the last text.
 * @returns false if a second factor is needed.
 */
export async function logInWithEmail(
  credentials: { readonly email: string; readonly password: string },
  fallback: string,
): Promise<boolean> {
  const { token } = await call(login, { body: credentials }, { fallback });
  if (token === undefined) return false;
  await logInWithToken(token, credentials.email);
  return true;
}

/** Takes a new access token into the session; `email` is the address the learner typed, if any. */
export async function logInWithToken(token: string, email = ''): Promise<void> {
  storeAccessToken(token);
  const profile = await call(getProfile, {}).catch(() => null);
  const emailPrefix = prefixOf(email);
  // The e-mail address stands in where the profile cannot be loaded (specification §8).
  const user = {
    userId: userIdOfToken(token),
    uid: emailPrefix,
    email,
    nickname: emailPrefix,
    profileImageUrl: DEFAULT_PROFILE_IMAGE,
    title: null,
  };
  useSession.setState({ isLoggedIn: true, token: readAccessToken() ?? token, user });
  if (profile !== null) rememberProfile(profile);
}

function prefixOf(email: string): string {
  return email.split('@')[0] ?? email;
}

/** Takes the profile answered by the API into the session. */
export function rememberProfile(profile: RouteReply<typeof getProfile>): void {
  const { user } = useSession.getState();
  if (user === null) return;
  const { email, nickname, profileImage: profileImageUrl, selectedTitle: title } = profile;
  const uid = user.uid || prefixOf(email);
  const next = { ...user, uid, email, nickname, profileImageUrl, title };
  if (JSON.stringify(next) !== JSON.stringify(user)) useSession.setState({ user: next });
}

const logOutListeners = new Set<() => void>();

/**
 * Calls back at the start of a log-out in this tab, while requests still carry the learner's token: for
 * clean-up that needs it. Returns a cleanup function.
 */
export function beforeLogOut(listener: () => void): () => void {
  logOutListeners.add(listener);
  return () => logOutListeners.delete(listener);
}

/** Ends the log-in here at once and tells the server, which ends it everywhere. */
export function logOut(): void {
  for (const listener of logOutListeners) listener();
  // This browser is logged out even if the server cannot be reached.
  call(logout, {}, { keepalive: true }).catch(() => undefined);
  storeAccessToken(null);
}

/**
 * Restores the log-in of an earlier visit and keeps tabs and token in step; called once at page start.
 * Returns a cleanup function.
 */
export function startSession(): () => void {
  const { isLoggedIn, token } = useSession.getState();
  const stored = readAccessToken();
  if (isLoggedIn && token !== null && stored === null) storeAccessToken(token);
  else followToken(stored);

  const stopFollowing = onAccessTokenStored(followToken);
  const syncWithOtherTabs = (event: StorageEvent) => {
    if (event.key === SESSION_KEY || event.key === null) void useSession.persist.rehydrate();
    if (event.key === null || event.newValue === null) followToken(readAccessToken());
  };
  window.addEventListener('storage', syncWithOtherTabs);
  return () => {
    stopFollowing();
    window.removeEventListener('storage', syncWithOtherTabs);
  };
}

function followToken(token: string | null): void {
  const session = useSession.getState();
  if (!session.isLoggedIn || session.token === token) return;
  useSession.setState(token === null ? loggedOut : { token });
  if (token !== null) return;
  writeStored(keptOfflineKeys.lastState, null);
  writeStored(keptOfflineKeys.goal, null, 'tab');
}
