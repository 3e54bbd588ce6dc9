import { useEffect, useState } from 'react';

/** Behind the hash, so that no server or log sees it: a page is rendered ahead without. */
const read = () =>
  typeof window === 'undefined'
    ? null
    : new URLSearchParams(window.location.hash.slice(1)).get('token');

/** The token of a mailed link in the address, or null, and how to forget it. */
export function useTokenInAddress(): [token: string | null, forget: () => void] {
  const [token, setToken] = useState(read);
  // A link that is opened in this very tab changes nothing but the hash.
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
