import { type CaseDetail, liftSanction, type PersonSanction } from '@mogakgong/contract';
import { isInForce } from '../../features/sanctions/own-sanctions.ts';
import { call } from '../../shared/api/index.ts';
import { serverNowMs } from '../../shared/clock/index.ts';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { useAction } from './moderation-queries.ts';

import { Badge, Part, Reasons, useOwnMoments } from './parts.tsx';

/** Earlier decisions about the person, and sanctions in effect. */
export function History({ detail }: { readonly detail: CaseDetail }) {
  const { t } = useTranslation(moderationTexts);
  const moment = useOwnMoments();
  const { sanctions, formerCases } = detail;
  return (
    <Part title={t('history.title')}>
      {sanctions.length + formerCases.length === 0 && (
        <p className="text-ink-soft text-small">{t('history.none')}</p>
      )}
      {sanctions.length > 0 && (
        <ul aria-label={t('history.sanctions')} className="grid gap-2">
          {sanctions.map((sanction) => (
            <li key={sanction.sanctionId}>
              <Sanction sanction={sanction} />
            </li>
          ))}
        </ul>
      )}
      {formerCases.length > 0 && (
        <ul aria-label={t('history.cases')} className="grid gap-2">
          {formerCases.map((former) => (
            <li key={former.caseId} className="grid gap-1 text-small">
              <p className="flex flex-wrap items-center gap-1.5">
                <Badge>{t(`decision.${former.decision}`)}</Badge>
                <Reasons reasons={former.reasons} />
                <span className="text-caption text-ink-soft">
                  {t('history.case', { number: former.caseId })} · {moment(former.decidedAtMs)}
                </span>
              </p>
              {former.decisionReason !== '' && <p>{former.decisionReason}</p>}
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function Sanction({ sanction }: { readonly sanction: PersonSanction }) {
  const { t } = useTranslation(moderationTexts);
  const isHolding = isInForce(sanction, serverNowMs());
  const { run, isRunning } = useAction(
    () => call(liftSanction, { params: { sanctionId: sanction.sanctionId } }),
    () => notify.toast(t('history.lifted'), 'good'),
  );
  return (
    <div className="flex flex-wrap items-start justify-between gap-2 text-small">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-1.5">
          <Badge tone={isHolding ? 'bad' : 'plain'}>{t(`decision.${sanction.kind}`)}</Badge>
          {sanction.rule !== null && <Badge>{t('sanction.automatic')}</Badge>}
          <SanctionPeriod sanction={sanction} />
        </p>
        <p className="wrap-anywhere">{sanction.reason}</p>
      </div>
      {isHolding && (
        <Button size="small" loading={isRunning} onClick={() => run()}>
          {t('history.lift')}
        </Button>
      )}
    </div>
  );
}

/** The period of a sanction. */
export function SanctionPeriod({ sanction }: { readonly sanction: PersonSanction }) {
  const { t } = useTranslation(moderationTexts);
  const moment = useOwnMoments();
  const { imposedAtMs, endsAtMs, liftedAtMs } = sanction;
  const end =
    liftedAtMs !== null
      ? t('sanction.liftedAt', { at: moment(liftedAtMs) })
      : endsAtMs === null
        ? t('sanction.noEnd')
        : endsAtMs > imposedAtMs && t('sanction.until', { at: moment(endsAtMs) });
  return (
    <span className="text-caption text-ink-soft">
      {[moment(imposedAtMs), end].filter(Boolean).join(' · ')}
    </span>
  );
}
