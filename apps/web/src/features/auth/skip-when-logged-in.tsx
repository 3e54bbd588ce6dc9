import type { ReactNode } from 'react';
import { Redirect, useSearch } from 'wouter';
import { returnPath } from './return-path.ts';
import { useSession } from './session.ts';

/** Shows a page about logging in; who is logged in already goes on to where they wanted. */
export function SkipWhenLoggedIn({ children }: { readonly children: ReactNode }) {
  const isLoggedIn = useSession((session) => session.isLoggedIn);
  const search = useSearch();
  return isLoggedIn ? <Redirect to={returnPath(search)} replace /> : children;
}
