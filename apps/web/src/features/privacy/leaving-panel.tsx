import { cancelDeletion, type UserId } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { call, messageOf } from '../../shared/api/index.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useMoments } from '../../shared/today/use-moments.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';

import { usePrivacyState } from './use-privacy-state.ts';

interface LeavingPanelProps {
  readonly userId: UserId;
  /** Makes the account usable again in this browser. */
  readonly onCancelled: () => Promise<unknown>;
}

/** The date of the account's deletion, and a button to cancel it. */
export function LeavingPanel({ userId, onCancelled }: LeavingPanelProps) {
  const { t } = useTranslation(accountTexts);
  const state = usePrivacyState(userId, t('leaving.loadFailed'));
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await call(cancelDeletion, {}, { fallback: t('leaving.cancelFailed') });
      await onCancelled();
    },
    onSuccess: () => notify.toast(t('leaving.cancelled'), 'good'),
  });
  const momentText = useMoments(userId, 'long');
  return (
    <Panel title={t('leaving.title')}>
      <LoadState of={state}>
        {({ deletesAtMs }) => {
          const isBegun = deletesAtMs !== null && deletesAtMs <= Date.now();
          if (isBegun) return <p>{t('leaving.begun')}</p>;
          return (
            <>
              <p>{t('leaving.planned', { time: momentText(deletesAtMs ?? 0) })}</p>
              <FormError text={error ? messageOf(error) : undefined} />
              <div>
                <Button variant="primary" loading={isPending} onClick={() => mutate()}>
                  {t('leaving.cancel')}
                </Button>
              </div>
            </>
          );
        }}
      </LoadState>
    </Panel>
  );
}
