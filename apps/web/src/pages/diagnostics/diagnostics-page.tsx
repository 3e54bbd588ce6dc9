import { CircleCheck, Copy, Play } from 'lucide-react';
// Icons of this page only: an icon imported by its name is downloaded with every page.
import CircleDashed from 'lucide-react/icons/circle-dashed';
import CircleMinus from 'lucide-react/icons/circle-minus';
import CircleX from 'lucide-react/icons/circle-x';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useSession } from '../../features/auth/session.ts';
import { useCamera } from '../../features/media/camera.ts';
import { CameraHelp } from '../../features/media/camera-help.tsx';
import { type AccountText, accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { copyText } from '../../shared/ui/copy-text.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { CHECKS, type CheckId, DiagnosticsRun, type Outcome } from './checks.ts';

type Results = Partial<Record<CheckId, Outcome>>;

const ICONS = {
  waiting: CircleDashed,
  ok: CircleCheck,
  warning: TriangleAlert,
  failed: CircleX,
  skipped: CircleMinus,
} as const;
const COLORS = {
  waiting: 'text-ink-soft',
  ok: 'text-focus',
  warning: 'text-lamp-ink',
  failed: 'text-danger',
  skipped: 'text-ink-soft',
} as const;

/** Finds the cause of failing camera, messages or pictures, and says how to solve it. */
export function DiagnosticsPage() {
  const { t } = useTranslation(accountTexts);
  const isLoggedIn = useSession((session) => session.user !== null);
  const { results, running, start } = useChecks(isLoggedIn);
  const isDone = running === null && results.quality !== undefined;
  usePageTitle(t('diagnostics.page.title'));
  return (
    <div className="mx-auto grid w-full max-w-[52rem] gap-4 px-4 py-8 sm:gap-6 sm:px-6 sm:py-12">
      <header className="grid justify-items-start gap-3 pb-2">
        <h1 className="font-extrabold text-heading">{t('diagnostics.page.title')}</h1>
        <p className="text-ink-soft">{t('diagnostics.page.lead')}</p>
        {!isLoggedIn && (
          <p data-account="out" className="text-small">
            {t('diagnostics.page.needsLogIn')}{' '}
            <Link href={paths.login} className="font-semibold underline underline-offset-4">
              {t('diagnostics.page.logIn')}
            </Link>
          </p>
        )}
        <Button variant="primary" icon={Play} loading={running !== null} onClick={start}>
          {t(isDone ? 'diagnostics.page.again' : 'diagnostics.page.start')}
        </Button>
      </header>
      <p role="status" className="font-semibold empty:hidden">
        {isDone && verdictOf(results, t)}
      </p>
      <Panel title={t('diagnostics.page.checks')}>
        <ol className="grid">
          {CHECKS.map((id) => (
            <Check key={id} id={id} outcome={results[id]} isRunning={running === id} />
          ))}
        </ol>
      </Panel>
      {isDone && <Report text={reportOf(results)} />}
    </div>
  );
}

/** Runs the checks one after the other; leaving the page ends them. */
function useChecks(isLoggedIn: boolean) {
  const [results, setResults] = useState<Results>({});
  const [running, setRunning] = useState<CheckId | null>(null);
  const stopRef = useRef<AbortController | null>(null);
  useEffect(() => () => stopRef.current?.abort(), []);
  const start = async () => {
    stopRef.current?.abort();
    const stop = new AbortController();
    stopRef.current = stop;
    setResults({});
    const run = new DiagnosticsRun(isLoggedIn);
    for (const id of CHECKS) {
      setRunning(id);
      const outcome = await run.run(id);
      if (stop.signal.aborted) return;
      setResults((known) => ({ ...known, [id]: outcome }));
    }
    setRunning(null);
  };
  return { results, running, start: () => void start() };
}

interface CheckProps {
  readonly id: CheckId;
  readonly outcome: Outcome | undefined;
  readonly isRunning: boolean;
}

function Check({ id, outcome, isRunning }: CheckProps) {
  const { t } = useTranslation(accountTexts);
  const camera = useCamera();
  const state = outcome?.state ?? 'waiting';
  const Icon = ICONS[state];
  return (
    <li
      data-check={id}
      data-state={isRunning ? 'running' : state}
      className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 border-line border-t py-3 first:border-t-0"
    >
      <span className={COLORS[state]}>
        {isRunning ? <Spinner /> : <Icon size={20} aria-hidden="true" />}
      </span>
      <div className="grid gap-1">
        <p className="flex items-baseline justify-between gap-x-3">
          <span className="font-semibold">{t(`check.${id}`)}</span>
          <span className="shrink-0 text-ink-soft text-small">
            {t(isRunning ? 'state.running' : `state.${state}`)}
          </span>
        </p>
        <p className="text-ink-soft text-small">
          {outcome
            ? t(outcome.text, { ...outcome.values, message: outcome.message ?? '' })
            : t(`about.${id}`)}
        </p>
        {id === 'camera' && state === 'failed' && camera.kind === 'failed' && (
          <CameraHelp problem={camera.problem} />
        )}
      </div>
    </li>
  );
}

/** The result of all checks in one sentence. */
function verdictOf(results: Results, t: AccountText): string {
  const states = Object.values(results).map(({ state }) => state);
  const count = states.filter((state) => state === 'failed').length;
  if (count > 0) return t('diagnostics.page.problems', { count });
  return t(states.includes('warning') ? 'diagnostics.page.warnings' : 'diagnostics.page.fine');
}

/** The findings, one check a line, in English for the operator; without the learner's identity. */
export function reportOf(results: Results): string {
  const lines = CHECKS.map((id) => {
    const { state = 'not run', text = '', values = {} } = results[id] ?? {};
    const facts = Object.entries(values).map(([name, value]) => `${name}=${value}`);
    return `${id}: ${[state, text.replace('result.', ''), ...facts].join(' ')}`.trimEnd();
  });
  return [new Date().toISOString(), navigator.userAgent, ...lines].join('\n');
}

function Report({ text }: { readonly text: string }) {
  const { t } = useTranslation(accountTexts);
  return (
    <Panel
      title={t('report.title')}
      lead={t('report.lead')}
      actions={
        <>
          <Button size="small" icon={Copy} onClick={() => void copyText(text)}>
            {t('report.copy')}
          </Button>
          <LinkButton size="small" href={`${paths.support}#ask`}>
            {t('report.ask')}
          </LinkButton>
        </>
      }
    >
      <pre className="wrap-anywhere whitespace-pre-wrap text-caption">{text}</pre>
    </Panel>
  );
}
