import type { OwnSanction, UserId } from '@mogakgong/contract';
import { useEffect } from 'react';
import type { Loaded } from '../../shared/api/use-loaded.ts';
import { serverNowMs } from '../../shared/clock/index.ts';
import { sanctionTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { acknowledge, isInForce, useOwnSanctions } from './own-sanctions.ts';
import { SanctionStatement } from './sanction-statement.tsx';

/** Polled, as there is no realtime connection. */
const ASK_EVERY_MS = 5_000;

interface SuspendedPanelProps {
  readonly userId: UserId;
  /** Called when the account is no longer suspended. */
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
      isInForce(sanction, serverNowMs()),
  );
  const hasEnded = suspending?.length === 0 && !loaded.isLoading;
  useEffect(() => {
    // The next poll tries again.
    if (hasEnded) onEnded().catch(() => undefined);
  }, [hasEnded, onEnded]);
  // Showing the page counts as reading it; a change is shown again.
  const [unread] = (suspending ?? []).filter(({ isAcknowledged }) => !isAcknowledged);
  const unreadId = unread?.id;
  useEffect(() => {
    // It stays unread, and is shown again on the next page.
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
