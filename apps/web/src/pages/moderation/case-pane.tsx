import { type CaseDetail, type CaseId, claimCase, releaseCase } from '@mogakgong/contract';
import { useRef, useState } from 'react';
import { KeyHint, useShortcuts } from '../../features/focus/shortcuts.tsx';
import { call } from '../../shared/api/index.ts';
import { serverNowMs } from '../../shared/clock/index.ts';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { Evidence } from './case-evidence.tsx';
import { History } from './case-history.tsx';
import { DecisionForm } from './decision-form.tsx';
import { takeCase, useAction, useCase } from './moderation-queries.ts';

import { Badge, PaneHeading, Person, Reasons, useOwnMoments } from './parts.tsx';

interface CasePaneProps {
  readonly caseId: CaseId;
  readonly ownUserId: number;
}

/** One case: the person, the reports, the history, and the actions. */
export function CasePane({ caseId, ownUserId }: CasePaneProps) {
  const loaded = useCase(caseId);
  const ref = useRef<HTMLDivElement>(null);
  useKeptFocus(ref, () => ref.current?.querySelector('h2')?.focus({ preventScroll: true }));
  return (
    <div ref={ref}>
      <LoadState of={loaded}>
        {(detail) => (
          // A decision is written beside the evidence, where there is room.
          <article
            aria-labelledby="case-title"
            className="xl:has-[>form]:grid xl:has-[>form]:grid-cols-[minmax(0,1fr)_24rem] xl:has-[>form]:items-start xl:has-[>form]:[&>:not(form)]:col-start-1"
          >
            <CaseHead detail={detail} ownUserId={ownUserId} />
            <Evidence detail={detail} />
            <History detail={detail} />
          </article>
        )}
      </LoadState>
    </div>
  );
}

interface CaseHeadProps {
  readonly detail: CaseDetail;
  readonly ownUserId: number;
}

function CaseHead({ detail, ownUserId }: CaseHeadProps) {
  const { t } = useTranslation(moderationTexts);
  const moment = useOwnMoments();
  return (
    <>
      <header className="grid gap-2 px-4 py-5 sm:px-6">
        <PaneHeading id="case-title" account={detail.reported} />
        <p className="flex flex-wrap items-center gap-1.5">
          <Reasons reasons={detail.reasons} />
          <Badge>{t('case.reports', { count: detail.reportCount })}</Badge>
          <Badge>{t('case.weight', { weight: detail.weight.toFixed(1) })}</Badge>
        </p>
        <p className="text-caption text-ink-soft">
          {t('history.case', { number: detail.caseId })} ·{' '}
          {t('case.opened', { at: moment(detail.openedAtMs) })}
        </p>
        {detail.decision && <Decided detail={detail} decision={detail.decision} />}
      </header>
      {detail.status !== 'decided' && (
        <CaseActions key={detail.caseId} detail={detail} ownUserId={ownUserId} />
      )}
    </>
  );
}

interface DecidedProps {
  readonly detail: CaseDetail;
  readonly decision: NonNullable<CaseDetail['decision']>;
}

function Decided({ detail, decision }: DecidedProps) {
  const { t } = useTranslation(moderationTexts);
  const moment = useOwnMoments();
  return (
    <div className="grid gap-1 rounded-medium bg-raised px-4 py-3 text-small">
      <p className="font-semibold">{t(`decision.${decision}`)}</p>
      {detail.decisionReason && <p className="wrap-anywhere">{detail.decisionReason}</p>}
      <p className="text-caption text-ink-soft">
        <Person account={detail.decidedBy} /> · {moment(detail.decidedAtMs ?? 0)}
      </p>
    </div>
  );
}

/** Claims, returns and decides, by buttons and keys. */
function CaseActions({ detail, ownUserId }: CaseHeadProps) {
  const { t } = useTranslation(moderationTexts);
  const [isDeciding, setIsDeciding] = useState(false);
  const { caseId, claimedBy, claimEndsAtMs, isReporter } = detail;
  const params = { caseId };
  const claim = useAction(() => call(claimCase, { params }), takeCase);
  const release = useAction(() => call(releaseCase, { params }), takeCase);
  const isMine = claimedBy?.userId === ownUserId;
  const isTakenOver = claimedBy !== null && !isMine;
  const canClaim =
    !isReporter && !isMine && (!isTakenOver || (claimEndsAtMs ?? 0) <= serverNowMs());
  const [claimNow, beginDecision] = [() => claim.run(), () => setIsDeciding(true)];
  useShortcuts({
    ...(canClaim && { KeyC: claimNow }),
    ...(isMine && !isReporter && { KeyD: beginDecision }),
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pb-5 sm:px-6">
        {canClaim && (
          <Button variant="primary" size="small" loading={claim.isRunning} onClick={claimNow}>
            {t(isTakenOver ? 'case.takeOver' : 'case.claim')}
            <KeyHint name="C" />
          </Button>
        )}
        {isMine && !isReporter && (
          <Button
            variant="primary"
            size="small"
            aria-expanded={isDeciding}
            onClick={() => setIsDeciding(!isDeciding)}
          >
            {t('case.decide')}
            <KeyHint name="D" />
          </Button>
        )}
        {isMine && (
          <Button size="small" loading={release.isRunning} onClick={() => release.run()}>
            {t('case.release')}
          </Button>
        )}
        <ClaimNote detail={detail} ownUserId={ownUserId} />
      </div>
      {isDeciding && isMine && (
        <DecisionForm detail={detail} onClose={() => setIsDeciding(false)} />
      )}
    </>
  );
}

/** Why this moderator cannot decide, or the moderator working on it. */
function ClaimNote({ detail, ownUserId }: CaseHeadProps) {
  const { t } = useTranslation(moderationTexts);
  const moment = useOwnMoments();
  const { claimedBy, claimEndsAtMs, isReporter } = detail;
  const note = isReporter
    ? t('case.isReporter')
    : claimedBy === null
      ? t('case.unclaimed')
      : claimedBy.userId === ownUserId
        ? t('case.yours', { at: moment(claimEndsAtMs ?? 0) })
        : t('case.others', {
            name: claimedBy.nickname ?? `#${claimedBy.userId}`,
            at: moment(claimEndsAtMs ?? 0),
          });
  return (
    <p role="status" className="text-ink-soft text-small">
      {note}
    </p>
  );
}
