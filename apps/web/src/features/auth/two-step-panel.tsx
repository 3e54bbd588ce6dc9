import {
  beginSecondFactor,
  type RouteReply,
  renewRecoveryCodes,
  type SecondFactor,
  turnOffSecondFactor,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import ShieldOff from 'lucide-react/icons/shield-off';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { SecondFactorDialog as SetUpDialog } from './second-factor-dialog.tsx';
import { secondFactorKey, useSecondFactor } from './use-second-factor.ts';

/** The second factor of the learner's log-ins: on or off, and its recovery codes. */
export function TwoStepPanel({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(accountTexts);
  const loaded = useSecondFactor(userId);
  const [setUp, setSetUp] = useState<RouteReply<typeof beginSecondFactor> | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  const fallback = t('twoStep.failed');
  const begin = useMutation({
    mutationFn: () => call(beginSecondFactor, {}, { fallback }),
    onSuccess: setSetUp,
    onError: (error) => notifyFailure(error),
  });
  const showCodes = (codes: readonly string[]) => {
    setSetUp(null);
    setRecoveryCodes(codes);
    void queryClient.invalidateQueries({ queryKey: secondFactorKey(userId) });
  };
  return (
    <Panel title={t('twoStep.title')} lead={t('twoStep.lead')}>
      <LoadState of={loaded}>
        {(secondFactor) =>
          secondFactor.isOn ? (
            <TurnedOn userId={userId} secondFactor={secondFactor} onNewCodes={showCodes} />
          ) : (
            <div className="flex flex-wrap items-center justify-between gap-4">
              <p className="flex items-center gap-3">
                <ShieldOff size={22} aria-hidden="true" className="text-ink-soft" />
                {t('twoStep.off')}
              </p>
              <Button size="small" loading={begin.isPending} onClick={() => begin.mutate()}>
                {t('twoStep.turnOn')}
              </Button>
            </div>
          )
        }
      </LoadState>
      {setUp && <SetUpDialog {...setUp} onOn={showCodes} onClose={() => setSetUp(null)} />}
      {recoveryCodes && (
        <RecoveryCodesDialog codes={recoveryCodes} onClose={() => setRecoveryCodes(null)} />
      )}
    </Panel>
  );
}

interface TurnedOnProps {
  readonly userId: UserId;
  readonly secondFactor: SecondFactor;
  readonly onNewCodes: (codes: readonly string[]) => void;
}

function TurnedOn({ userId, secondFactor, onNewCodes }: TurnedOnProps) {
  const { t } = useTranslation(accountTexts);
  const fallback = t('twoStep.failed');
  const onError = (error: Error) => notifyFailure(error);
  const renew = useMutation({
    mutationFn: () => call(renewRecoveryCodes, {}, { fallback }),
    onSuccess: (renewed) => onNewCodes(renewed.recoveryCodes),
    onError,
  });
  const turnOff = useMutation({
    mutationFn: () => call(turnOffSecondFactor, {}, { fallback }),
    onSuccess: (off) => {
      queryClient.setQueryData(secondFactorKey(userId), off);
      notify.toast(t('twoStep.turnedOff'), 'good');
    },
    onError,
  });
  const askToRenew = async () => {
    if (await confirmed(t('twoStep.renew'), t('twoStep.askRenew'), t('twoStep.renew')))
      renew.mutate();
  };
  const askToTurnOff = async () => {
    if (await confirmed(t('twoStep.turnOff'), t('twoStep.askOff'), t('twoStep.turnOff')))
      turnOff.mutate();
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="flex items-center gap-3">
        <ShieldCheck size={22} aria-hidden="true" className="text-focus" />
        <span>
          {t('twoStep.on')}{' '}
          <span className="text-ink-soft text-small">
            {t('twoStep.codesLeft', { count: secondFactor.recoveryCodesLeft })}
          </span>
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" loading={renew.isPending} onClick={() => void askToRenew()}>
          {t('twoStep.renew')}
        </Button>
        <Button size="small" loading={turnOff.isPending} onClick={() => void askToTurnOff()}>
          {t('twoStep.turnOff')}
        </Button>
      </div>
    </div>
  );
}
