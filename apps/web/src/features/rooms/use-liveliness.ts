import { useEffect, useState } from 'react';
import { fetchLiveliness } from './room-calls.ts';

/** How often the numbers are asked for while somebody looks at them. */
const REFRESH_MS = 20_000;

export interface Liveliness {
  readonly learners: number;
  readonly rooms: number;
}

/** How many learners sit in how many rooms; null until known and while it cannot be known. */
export function useLiveliness(): Liveliness | null {
  const [liveliness, setLiveliness] = useState<Liveliness | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const load = () => {
      if (document.visibilityState !== 'visible') return;
      fetchLiveliness(stop.signal)
        .then(setLiveliness)
        .catch(() => !stop.signal.aborted && setLiveliness(null));
    };
    load();
    const timer = setInterval(load, REFRESH_MS);
    document.addEventListener('visibilitychange', load, { signal: stop.signal });
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, []);
  return liveliness;
}
