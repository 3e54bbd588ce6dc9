/** The page after log-in where no return path is given (specification §2). */
const HOME_AFTER_LOGIN = '/main';

const NEXT = 'next';
const ENTER = 'enter';
const loginPages = [
  '/login',
  '/email-login',
  '/login/second-factor',
  '/join',
  '/password-reset',
  '/auth/success',
  '/auth/failure',
  '/signup/extra-info',
  '/google/callback',
  '/kakao/callback',
  '/naver/callback',
];

/**
 * The path to come back to after log-in, from the query of the address; HOME_AFTER_LOGIN unless it is a path
 * of this site that is not itself about logging in.
 */
export function returnPath(search: string): string {
  const wanted = new URLSearchParams(search).get(NEXT);
  if (wanted === null || !wanted.startsWith('/')) return HOME_AFTER_LOGIN;
  const here = window.location.origin;
  const url = URL.canParse(wanted, here) ? new URL(wanted, here) : null;
  if (url === null || url.origin !== here || loginPages.includes(url.pathname)) {
    return HOME_AFTER_LOGIN;
  }
  // The remainder of `/.//host` names another host.
  if (url.pathname.startsWith('//')) return HOME_AFTER_LOGIN;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Where a new account goes: to the camera check, unless it came from another page than /main. */
export const firstEntryPath = (wanted: string): string =>
  wanted === HOME_AFTER_LOGIN ? `${HOME_AFTER_LOGIN}?${ENTER}` : wanted;

/** Whether the query of /main asks for the camera check at once. */
export const asksToEnter = (search: string): boolean => new URLSearchParams(search).has(ENTER);

/** `path` with the return path `wanted`. */
export function withReturnPath(path: string, wanted: string): string {
  return wanted === HOME_AFTER_LOGIN ? path : `${path}?${new URLSearchParams({ [NEXT]: wanted })}`;
}
