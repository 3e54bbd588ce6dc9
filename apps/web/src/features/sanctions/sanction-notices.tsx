import type { UserId } from '@mogakgong/contract';
import { useEffect } from 'react';
import { renewAccessToken } from '../../shared/api/index.ts';
import { serverNowMs } from '../../shared/clock/index.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { isInForce, useOwnSanctions } from './own-sanctions.ts';

/** Downloaded only by sanctioned learners. */
export const SanctionDialog = onDemand(
  async () => (await import('./sanction-dialog.tsx')).SanctionDialog,
  {
    isQuiet: true,
  },
);

/** Shows the learner on every page what was decided about them, one decision after the other. */
export function SanctionNotices({ userId }: { readonly userId: UserId }) {
  const { value } = useOwnSanctions(userId, { refetchOnMount: 'always' });
  const news = value?.sanctions.findLast(({ isAcknowledged }) => !isAcknowledged);
  const isSuspended = value?.sanctions.some(
    (each) => (each.kind === 'suspend' || each.kind === 'ban') && isInForce(each, serverNowMs()),
  );
  useEffect(() => {
    // The connection that a suspension ends may be closed already, with the seat: a newer token reports it,
    // now or when the current one expires.
    if (isSuspended) renewAccessToken().catch(() => undefined);
  }, [isSuspended]);
  return news && <SanctionDialog key={news.id} userId={userId} sanction={news} />;
}
