import { useEffect, useState } from 'react';

/** In the hash, so that no server or log sees it; prerendering has none. */
const read = () =>
  typeof window === 'undefined'
    ? null
    : new URLSearchParams(window.location.hash.slice(1)).get('token');

/** The token of a mailed link in the address, or null, and a function that removes it. */
export function useTokenInAddress(): [token: string | null, forget: () => void] {
  const [token, setToken] = useState(read);
  // A link opened in this tab changes only the hash.
  useEffect(() => {
    const follow = () => setToken(read());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const forget = () => {
    window.history.replaceState(null, '', window.location.pathname);
    setToken(null);
  };
  return [token, forget];
}
