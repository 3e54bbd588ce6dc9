import { getPrivacyState, type PrivacyState, type UserId } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { type Loaded, useLoaded } from '../../shared/api/use-loaded.ts';

/** The learner's data decisions; `fallback` is shown when they cannot be loaded. */
export function usePrivacyState(userId: UserId, fallback: string): Loaded<PrivacyState> {
  return useLoaded(['privacy', userId], (signal) =>
    call(getPrivacyState, {}, { signal, fallback }),
  );
}
