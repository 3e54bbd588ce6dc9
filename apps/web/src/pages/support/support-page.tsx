import { ChevronDown } from 'lucide-react';
import { Suspense } from 'react';
import { Link } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { OwnReportsPanel } from '../../features/reports/own-reports-panel.tsx';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths, settingsPath } from '../../shared/lib/paths.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { SupportForm } from './support-form.tsx';

const GROUPS = {
  camera: ['blocked', 'sound', 'seen', 'browser'],
  time: ['lost', 'break', 'devices', 'day'],
  account: ['password', 'social', 'people', 'data'],
} as const;
type Question = (typeof GROUPS)[keyof typeof GROUPS][number];
const GROUP_NAMES = Object.keys(GROUPS) as (keyof typeof GROUPS)[];

/** Answers to frequent questions, and a form for the rest. */
export function SupportPage() {
  const { t } = useTranslation(accountTexts);
  const userId = useOwnUserId();
  usePageTitle(t('account.support'));
  return (
    <div className="mx-auto grid w-full max-w-[72rem] gap-4 px-4 py-8 sm:gap-6 sm:px-6 sm:py-12">
      <header className="grid gap-2 pb-2">
        <h1 className="font-extrabold text-heading">{t('account.support')}</h1>
        <p className="max-w-[48rem] text-ink-soft">
          {t('support.page.lead')}{' '}
          <a href="#ask" className="font-semibold text-ink underline underline-offset-4 lg:hidden">
            {t('support.page.toForm')}
          </a>
        </p>
      </header>
      <div className="grid items-start gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid gap-4 sm:gap-6">
          <Suspense>{userId !== null && <OwnReportsPanel userId={userId} />}</Suspense>
          {GROUP_NAMES.map((group) => (
            <Panel key={group} title={t(`group.${group}`)}>
              <div>
                {GROUPS[group].map((question) => (
                  <Answer key={question} question={question} />
                ))}
              </div>
            </Panel>
          ))}
        </div>
        <div id="ask" className="scroll-mt-24 lg:sticky lg:top-24">
          <Panel title={t('form.title')}>
            <SupportForm />
          </Panel>
        </div>
      </div>
    </div>
  );
}

/** Targets of links in the answers. */
const LINKS = {
  blocked: paths.diagnostics,
  password: paths.passwordReset,
  day: settingsPath('study'),
  data: settingsPath('privacy'),
} as const;
const hasLink = (question: Question): question is keyof typeof LINKS => question in LINKS;

function Answer({ question }: { readonly question: Question }) {
  const { t } = useTranslation(accountTexts);
  return (
    <details className="group border-line border-t first:border-t-0">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 rounded-small py-3 font-semibold [&::-webkit-details-marker]:hidden">
        {t(`question.${question}`)}
        <ChevronDown
          size={18}
          aria-hidden
          className="shrink-0 text-ink-soft transition-transform group-open:rotate-180 motion-reduce:transition-none"
        />
      </summary>
      <div className="grid max-w-[44rem] gap-2 pb-4 text-ink-soft">
        <p>{t(`answer.${question}`)}</p>
        {hasLink(question) && (
          <p>
            <Link
              href={LINKS[question]}
              className="font-semibold text-ink underline underline-offset-4"
            >
              {t(`link.${question}`)}
            </Link>
          </p>
        )}
      </div>
    </details>
  );
}
