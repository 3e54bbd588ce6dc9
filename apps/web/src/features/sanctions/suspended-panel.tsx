import type { OwnSanction, UserId } from '@mogakgong/contract';
import { useEffect } from 'react';
import type { Loaded } from '../../shared/api/use-loaded.ts';
import { serverNowMs } from '../../shared/clock/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { acknowledge, isStanding, useOwnSanctions } from './own-sanctions.ts';
import { SanctionStatement } from './sanction-statement.tsx';
import { sanctionTexts } from './sanction-texts.ts';

/** There is no realtime connection that could say it. */
const ASK_EVERY_MS = 5_000;

interface SuspendedPanelProps {
  readonly userId: UserId;
  /** Called when nothing suspends the account any more. */
  readonly onEnded: () => Promise<unknown>;
}

/** Why the account is suspended, until when, and the appeal. */
export function SuspendedPanel({ userId, onEnded }: SuspendedPanelProps) {
  const { t } = useTranslation(sanctionTexts);
  const loaded: Loaded<{ sanctions: readonly OwnSanction[] }> = useOwnSanctions(userId, {
    refetchOnMount: 'always',
    refetchInterval: ASK_EVERY_MS,
  });
  const suspending = loaded.value?.sanctions.filter(
    (sanction) =>
      (sanction.kind === 'suspend' || sanction.kind === 'ban') &&
      isStanding(sanction, serverNowMs()),
  );
  const hasEnded = suspending?.length === 0 && !loaded.isLoading;
  useEffect(() => {
    // The next answer to the question above tries again.
    if (hasEnded) onEnded().catch(() => undefined);
  }, [hasEnded, onEnded]);
  // Who has this page before them has read it; a change is told again.
  const [unread] = (suspending ?? []).filter(({ isAcknowledged }) => !isAcknowledged);
  const unreadId = unread?.id;
  useEffect(() => {
    // It stays unread, and is told again on the next page.
    if (unreadId !== undefined) acknowledge(userId, unreadId, '').catch(() => undefined);
  }, [userId, unreadId]);
  return (
    <LoadState of={loaded}>
      {() =>
        (suspending ?? []).map((sanction) => (
          <Panel key={sanction.id} title={t(`title.${sanction.kind}`)}>
            <SanctionStatement userId={userId} sanction={sanction} />
          </Panel>
        ))
      }
    </LoadState>
  );
}
