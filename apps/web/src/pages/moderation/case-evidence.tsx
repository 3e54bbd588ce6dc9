import {
  type CaseDetail,
  type CaseReport,
  getReportEvidence,
  getReportStill,
  type ReportEvidence,
} from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { useAction, useEvidence } from './moderation-queries.ts';

import { Badge, Part, Person, Reasons, useOwnMoments } from './parts.tsx';

const BoardEvidence = onDemand(async () => (await import('./board-evidence.tsx')).BoardEvidence);

/** The reports that count most, each with its stored evidence. */
export function Evidence({ detail }: { readonly detail: CaseDetail }) {
  const { t } = useTranslation(moderationTexts);
  const { reports, reportCount } = detail;
  return (
    <Part title={t('evidence.title', { count: reportCount })}>
      <p className="text-caption text-ink-soft">{t('evidence.weights')}</p>
      {reports.length < reportCount && (
        <p className="text-ink-soft text-small">
          {t('evidence.heaviest', { count: reports.length })}
        </p>
      )}
      <ol className="grid grid-cols-1 gap-4">
        {reports.map((report, index) => (
          <li
            key={report.reportId}
            className="grid min-w-0 gap-3 overflow-x-clip rounded-medium border border-line bg-ground p-4 text-small"
          >
            <ReportHead report={report} />
            {report.hasStill && <Still reportId={report.reportId} />}
            {report.hasBoard && <Board reportId={report.reportId} />}
            <Kept reportId={report.reportId} isFirst={index === 0} />
          </li>
        ))}
      </ol>
    </Part>
  );
}

function ReportHead({ report }: { readonly report: CaseReport }) {
  const { t } = useTranslation(moderationTexts);
  const moment = useOwnMoments();
  return (
    <header className="grid gap-1.5">
      <p className="flex flex-wrap items-center gap-1.5">
        <Reasons reasons={[report.reason]} />
        {report.groupText && <Badge>{t(`evidence.groupText.${report.groupText}`)}</Badge>}
        <Badge>{t('case.weight', { weight: report.weight.toFixed(1) })}</Badge>
      </p>
      {report.description !== '' && (
        <blockquote className="whitespace-pre-wrap wrap-anywhere border-line-strong border-l-2 pl-3">
          {report.description}
        </blockquote>
      )}
      <p className="text-caption text-ink-soft">
        {t('evidence.by')} <Person account={report.reporter} /> ·{' '}
        {t('evidence.room', { room: report.roomId })} · {moment(report.createdAtMs)}
      </p>
    </header>
  );
}

/** Shown only after a press: nobody should see such a picture by scrolling past it. */
function Still({ reportId }: { readonly reportId: CaseReport['reportId'] }) {
  const { t } = useTranslation(moderationTexts);
  const [address, setAddress] = useState<string>();
  const { run, isRunning } = useAction(
    () =>
      call(
        getReportStill,
        { params: { reportId } },
        { readReply: async (response) => new File([await response.blob()], 'still.webp') },
      ),
    (file) => setAddress(URL.createObjectURL(file)),
  );
  useEffect(() => () => (address ? URL.revokeObjectURL(address) : undefined), [address]);
  if (address) {
    return (
      <figure className="grid max-w-[40rem] gap-1">
        <img
          src={address}
          alt={t('evidence.still')}
          className="w-full rounded-medium border border-line"
        />
        <figcaption className="text-caption text-ink-soft">{t('evidence.stillNote')}</figcaption>
      </figure>
    );
  }
  return (
    <p>
      <Button size="small" loading={isRunning} onClick={() => run()}>
        {t('evidence.showStill')}
      </Button>
    </p>
  );
}

/** Shown only after a press, like a still; its code is downloaded then. */
function Board({ reportId }: { readonly reportId: CaseReport['reportId'] }) {
  const { t } = useTranslation(moderationTexts);
  const [isShown, setIsShown] = useState(false);
  if (isShown) return <BoardEvidence reportId={reportId} />;
  return (
    <p>
      <Button size="small" onClick={() => setIsShown(true)}>
        {t('evidence.showBoard')}
      </Button>
    </p>
  );
}

interface KeptProps {
  readonly reportId: CaseReport['reportId'];
  /** Reports of one evening come from the same conversation: one of them is enough to begin with. */
  readonly isFirst: boolean;
}

/** The conversation and the people present, loaded when opened. */
function Kept({ reportId, isFirst }: KeptProps) {
  const { t } = useTranslation(moderationTexts);
  const [isOpen, setIsOpen] = useState(isFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="min-h-9 cursor-pointer font-semibold text-caption leading-9 pointer-coarse:min-h-11 pointer-coarse:leading-[2.75rem]">
        {t('evidence.conversation')}
      </summary>
      {isOpen && <LoadedEvidence reportId={reportId} />}
    </details>
  );
}

function LoadedEvidence({ reportId }: Pick<KeptProps, 'reportId'>) {
  const loaded = useEvidence(['report', reportId], (signal) =>
    call(getReportEvidence, { params: { reportId } }, { signal }),
  );
  return (
    <LoadState of={loaded}>
      {(evidence) => (
        <>
          <Conversation evidence={evidence} />
          <Subject evidence={evidence} />
          <Present evidence={evidence} />
        </>
      )}
    </LoadState>
  );
}

interface EvidenceProps {
  readonly evidence: ReportEvidence;
}

function Conversation({ evidence: { messages, reportedId } }: EvidenceProps) {
  const { t } = useTranslation(moderationTexts);
  const moment = useOwnMoments();
  if (messages.length === 0) return <p className="text-ink-soft">{t('evidence.noMessages')}</p>;
  return (
    <ol aria-label={t('evidence.conversation')} className="grid gap-1">
      {messages.map((message, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: stored evidence never changes
          key={index}
          title={moment(message.sentAtMs)}
          className={classNames(
            'wrap-anywhere rounded-small px-2 py-1',
            message.senderId === reportedId && 'bg-lamp-wash',
          )}
        >
          <span className="font-semibold">
            {message.nickname}
            {message.senderId === reportedId && (
              <span className="sr-only"> ({t('evidence.reported')})</span>
            )}
          </span>{' '}
          {message.quotedNumber !== undefined && (
            <span className="block truncate border-line-strong border-l-2 pl-2 text-caption text-ink-soft">
              {quoteOf(messages, message.quotedNumber) ?? t('evidence.quotesEarlier')}
            </span>
          )}
          <span className="whitespace-pre-wrap">{message.content}</span>
        </li>
      ))}
    </ol>
  );
}

/** The name and text of a quoted message, if it is in the evidence. */
function quoteOf(messages: ReportEvidence['messages'], number: number): string | null {
  const quoted = messages.find((message) => message.number === number);
  return quoted ? `${quoted.nickname} ${quoted.content}` : null;
}

/** The subject that the reported person showed. */
function Subject({ evidence: { statuses, reportedId } }: EvidenceProps) {
  const { t } = useTranslation(moderationTexts);
  const subject = statuses.find(({ userId }) => userId === reportedId)?.subject;
  return subject && <p className="wrap-anywhere">{t('evidence.subject', { subject })}</p>;
}

function Present({ evidence: { statuses, reportedId } }: EvidenceProps) {
  const { t } = useTranslation(moderationTexts);
  if (statuses.length === 0) return null;
  return (
    <details>
      <summary className="min-h-9 cursor-pointer font-semibold text-caption leading-9 pointer-coarse:min-h-11 pointer-coarse:leading-[2.75rem]">
        {t('evidence.present', { count: statuses.length })}
      </summary>
      <ul className="grid gap-1">
        {statuses.map((seated) => (
          <li key={`${seated.userId} ${seated.sinceMs}`} className="flex flex-wrap gap-x-2 px-2">
            <span className={classNames(seated.userId === reportedId && 'font-semibold')}>
              <Person account={seated} />
            </span>
            <span className="text-ink-soft">
              {t(
                seated.leftAtMs === null
                  ? `moderation.status.${seated.status}`
                  : 'moderation.status.left',
              )}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
