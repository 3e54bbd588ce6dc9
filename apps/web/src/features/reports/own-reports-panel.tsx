import type { OwnReport, ReportState, UserId } from '@mogakgong/contract';
import { CircleCheck, Clock, type LucideIcon } from 'lucide-react';
import Search from 'lucide-react/icons/search';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useMoments } from '../../shared/today/use-moments.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { useOwnReports } from './own-reports.ts';

const ICONS: Readonly<Record<ReportState, LucideIcon>> = {
  received: Clock,
  inReview: Search,
  actionTaken: CircleCheck,
  noViolation: CircleCheck,
};

/** The learner's reports of the last year, with the answers; nothing without any. */
export function OwnReportsPanel({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(roomTexts);
  const loaded = useOwnReports(userId);
  if (loaded.error === null && !loaded.value?.reports.length) return null;
  return (
    <Panel title={t('own.title')} lead={t('own.lead')}>
      <LoadState of={loaded}>
        {({ reports }) => (
          <ul>
            {reports.map((report) => (
              <Report key={report.reportId} userId={userId} report={report} />
            ))}
          </ul>
        )}
      </LoadState>
    </Panel>
  );
}

interface ReportProps {
  readonly userId: UserId;
  readonly report: OwnReport;
}

function Report({ userId, report }: ReportProps) {
  const { t } = useTranslation(roomTexts);
  const { nickname: name, reason, description, state, reportedAtMs, decidedAtMs } = report;
  const momentText = useMoments(userId);
  const Icon = ICONS[state];
  const isDecided = decidedAtMs !== null;
  return (
    <li className="grid gap-2 border-line border-t py-4 first:border-t-0 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 font-semibold">
          {t('own.about', { name, reason: t(`own.reason.${reason}`) })}
        </p>
        <p className="text-caption text-ink-soft">{momentText(reportedAtMs)}</p>
      </div>
      {description && <p className="whitespace-pre-line text-ink-soft text-small">{description}</p>}
      <div className="flex gap-2.5 rounded-medium bg-raised px-4 py-3 text-small">
        <Icon size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-soft" />
        <div className="min-w-0">
          <p className="font-semibold">
            {t(`state.${state}`)}
            {isDecided && (
              <span className="font-normal text-caption text-ink-soft">
                {' · '}
                {momentText(decidedAtMs)}
              </span>
            )}
          </p>
          <p className="text-ink-soft">{t(`state.${state}Text`)}</p>
        </div>
      </div>
    </li>
  );
}
