import type { UserId } from '@mogakgong/contract';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { useOwnSanctions } from './own-sanctions.ts';

/** Downloaded by those about whom something was decided. */
const SanctionDialog = onDemand(
  async () => (await import('./sanction-dialog.tsx')).SanctionDialog,
  {
    isQuiet: true,
  },
);

/** Tells the learner on every page what was decided about them, one decision after the other. */
export function SanctionNotices({ userId }: { readonly userId: UserId }) {
  const { value } = useOwnSanctions(userId, { refetchOnMount: 'always' });
  const news = value?.sanctions.findLast(({ isAcknowledged }) => !isAcknowledged);
  return news && <SanctionDialog key={news.id} userId={userId} sanction={news} />;
}
