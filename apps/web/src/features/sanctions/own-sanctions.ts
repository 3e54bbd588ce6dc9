import {
  acknowledgeSanction,
  appealSanction,
  getOwnSanctions,
  type OwnSanction,
  type RouteReply,
  type SanctionKind,
  type UserId,
} from '@mogakgong/contract';
import type { UseQueryOptions } from '@tanstack/react-query';
import { useEffect, useReducer } from 'react';
import { call } from '../../shared/api/index.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { type Loaded, useLoaded } from '../../shared/api/use-loaded.ts';
import { serverNowMs } from '../../shared/clock/index.ts';

type OwnSanctions = RouteReply<typeof getOwnSanctions>;

/** A sanction of one kind. */
export type SanctionOf<Kind extends SanctionKind> = OwnSanction & { readonly kind: Kind };

/** The longest delay that a timer of the browser takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Timers may fire slightly early. */
const BEHIND_END_MS = 50;

/** Several parts of an opening page ask: one answer is enough. */
const FRESH_MS = 10_000;

const keyOf = (userId: UserId) => [...learnerKey(userId), 'sanctions'];

/** The decisions about the learner, latest first. */
export function useOwnSanctions(
  userId: UserId,
  options: Pick<UseQueryOptions<OwnSanctions>, 'refetchInterval' | 'refetchOnMount'> = {},
): Loaded<OwnSanctions> {
  return useLoaded(keyOf(userId), (signal) => call(getOwnSanctions, {}, { signal }), {
    refetchOnWindowFocus: true,
    staleTime: FRESH_MS,
    ...options,
  });
}

/** Whether a sanction is in effect at a moment of the server's clock. */
export function isInForce(
  { liftedAtMs, endsAtMs }: Pick<OwnSanction, 'liftedAtMs' | 'endsAtMs'>,
  nowMs: number,
): boolean {
  return liftedAtMs === null && (endsAtMs === null || endsAtMs > nowMs);
}

/** The sanction of a kind that lasts longest, while it is in effect; else null. */
export function useSanctionInForce<Kind extends SanctionKind>(
  userId: UserId,
  kind: Kind,
): SanctionOf<Kind> | null {
  const { value } = useOwnSanctions(userId);
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const nowMs = serverNowMs();
  const [held = null] = (value?.sanctions ?? [])
    .filter((sanction): sanction is SanctionOf<Kind> => sanction.kind === kind)
    .filter((sanction) => isInForce(sanction, nowMs))
    .toSorted((a, b) => (b.endsAtMs ?? Infinity) - (a.endsAtMs ?? Infinity));
  const endsAtMs = held?.endsAtMs ?? null;
  useEffect(() => {
    if (endsAtMs === null) return;
    const waitMs = Math.min(endsAtMs - serverNowMs() + BEHIND_END_MS, LONGEST_TIMER_MS);
    const timer = setTimeout(drawAgain, waitMs);
    return () => clearTimeout(timer);
  }, [endsAtMs]);
  return held;
}

const keep = (userId: UserId) => (answer: OwnSanctions) => {
  queryClient.setQueryData(keyOf(userId), answer);
};

/** Confirms that a decision was read; throws `ApiError`. */
export async function acknowledge(userId: UserId, sanctionId: number, fallback: string) {
  await call(acknowledgeSanction, { params: { sanctionId } }, { fallback }).then(keep(userId));
}

/** Sends an appeal; throws `ApiError`. */
export async function sendAppeal(
  userId: UserId,
  { sanctionId, text }: { readonly sanctionId: number; readonly text: string },
  fallback: string,
) {
  const request = { params: { sanctionId }, body: { text } };
  await call(appealSanction, request, { fallback }).then(keep(userId));
}
