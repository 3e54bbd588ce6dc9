import { getLiveliness } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';

const REFRESH_MS = 20_000;

/** How many learners study now, in how many rooms, and how full those are; null until known. */
export function useLiveliness() {
  const { value } = useLoaded(['liveliness'], (signal) => call(getLiveliness, {}, { signal }), {
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: 'always',
  });
  return value;
}
