import { RefreshCw } from 'lucide-react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { DeveloperPage } from './developer-page.tsx';
import { useDeveloperTexts } from './developer-texts.ts';
import { type Probe, useApiStatus } from './use-api-status.ts';

/** How the backend is doing: its answers, the parts behind them, versions and latency. */
export function ApiStatusPage() {
  const texts = useDeveloperTexts();
  const { t } = useTranslation();
  const { status, ask } = useApiStatus();
  return (
    <DeveloperPage title={texts.apiStatus}>
      <div>
        <Button icon={<RefreshCw size={18} aria-hidden="true" />} onClick={ask}>
          {texts.askAgain}
        </Button>
      </div>
      {status === null ? (
        <p role="status">{t('common.loading')}</p>
      ) : (
        <div className="grid gap-8" aria-live="polite">
          <ProbeTable probes={status.probes} />
          <StateList checks={status.checks} />
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-small">
            <dt className="text-ink-soft">{texts.apiVersion}</dt>
            <dd>{status.apiVersion ?? texts.unknown}</dd>
            <dt className="text-ink-soft">OpenAPI</dt>
            <dd>{status.openApiVersion ?? texts.unknown}</dd>
          </dl>
        </div>
      )}
    </DeveloperPage>
  );
}

function ProbeTable({ probes }: { readonly probes: readonly Probe[] }) {
  const texts = useDeveloperTexts();
  return (
    <table className="w-full max-w-2xl text-left text-small">
      <thead className="text-caption text-ink-soft">
        <tr>
          <th className="py-2 font-semibold">{texts.address}</th>
          <th className="py-2 font-semibold">{texts.answer}</th>
          <th className="py-2 text-right font-semibold">{texts.latency}</th>
        </tr>
      </thead>
      <tbody>
        {probes.map(({ address, status, latencyMs }) => (
          <tr key={address} className="border-line border-t">
            <td className="py-2.5 font-semibold">{address}</td>
            <td className={classNames('py-2.5', status === 200 ? 'text-focus' : 'text-danger')}>
              {status === 0 ? texts.noAnswer : status}
            </td>
            <td className="py-2.5 text-right tabular-nums">{latencyMs.toFixed(1)} ms</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function StateList({
  checks,
}: {
  readonly checks: Readonly<Record<string, { readonly state: string }>>;
}) {
  const texts = useDeveloperTexts();
  return (
    <section className="grid gap-2">
      <h2 className="font-bold text-body">{texts.parts}</h2>
      <ul className="grid max-w-2xl gap-2 sm:grid-cols-3">
        {Object.entries(checks).map(([name, { state }]) => (
          <li
            key={name}
            className="rounded-medium border border-line bg-surface px-4 py-3 text-small"
          >
            <p className="font-semibold">{name}</p>
            <p className={state === 'up' ? 'text-focus' : 'text-danger'}>{state}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
