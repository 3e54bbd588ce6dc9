import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { DeveloperPage } from './developer-page.tsx';

/** The reply of /readyz: the dependencies of the API by name. */
const Ready = z.object({ checks: z.record(z.string(), z.looseObject({ state: z.string() })) });
const OpenApi = z.object({ info: z.object({ version: z.string() }), openapi: z.string() });

/** The result of one address: HTTP status, 0 without an answer. */
async function probe(address: string) {
  const startedMs = performance.now();
  const response = await fetch(address, { cache: 'no-store' }).catch(() => null);
  const body: unknown = await response?.json().catch(() => null);
  return {
    address,
    status: response?.status ?? 0,
    latencyMs: performance.now() - startedMs,
    body,
  };
}

type Probe = Awaited<ReturnType<typeof probe>>;

/** One after the other, so that each latency is its own. */
async function askAll() {
  const live = await probe('/livez');
  const ready = await probe('/readyz');
  const document = await probe('/api/openapi.json');
  return {
    probes: [live, ready, document],
    checks: Ready.safeParse(ready.body).data?.checks ?? {},
    api: OpenApi.safeParse(document.body).data,
  };
}

/** The state of the backend: its answers, dependencies, versions and latency. */
export function ApiStatusPage() {
  const { t } = useTranslation(moderationTexts);
  const [status, setStatus] = useState<Awaited<ReturnType<typeof askAll>>>();
  const ask = () => void askAll().then(setStatus);
  useEffect(ask, []);
  return (
    <DeveloperPage name="apiStatus">
      <div>
        <Button icon={RotateCw} onClick={ask}>
          {t('developer.askAgain')}
        </Button>
      </div>
      {status === undefined ? (
        <p role="status">{t('common.loading')}</p>
      ) : (
        <div className="grid gap-8" aria-live="polite">
          <ProbeTable probes={status.probes} />
          <section className="grid gap-2">
            <h2 className="font-bold text-body">{t('developer.parts')}</h2>
            <ul className="grid gap-1 text-small">
              {Object.entries(status.checks).map(([name, { state }]) => (
                <li key={name}>
                  <span className="text-ink-soft">{name}</span> {state}
                </li>
              ))}
              <li>
                <span className="text-ink-soft">{t('developer.apiVersion')}</span>{' '}
                {status.api?.info.version ?? t('developer.unknown')}
              </li>
              <li>
                <span className="text-ink-soft">OpenAPI</span>{' '}
                {status.api?.openapi ?? t('developer.unknown')}
              </li>
            </ul>
          </section>
        </div>
      )}
    </DeveloperPage>
  );
}

function ProbeTable({ probes }: { readonly probes: readonly Probe[] }) {
  const { t } = useTranslation(moderationTexts);
  return (
    <table className="w-full max-w-2xl text-left text-small">
      <thead className="text-caption text-ink-soft">
        <tr>
          <th className="py-2 font-semibold">{t('developer.address')}</th>
          <th className="py-2 font-semibold">{t('developer.answer')}</th>
          <th className="py-2 text-right font-semibold">{t('developer.latency')}</th>
        </tr>
      </thead>
      <tbody>
        {probes.map(({ address, status, latencyMs }) => (
          <tr key={address} className="border-line border-t">
            <td className="py-2.5 font-semibold">{address}</td>
            <td className={classNames('py-2.5', status === 200 ? 'text-focus' : 'text-danger')}>
              {status === 0 ? t('developer.noAnswer') : status}
            </td>
            <td className="py-2.5 text-right tabular-nums">{latencyMs.toFixed(1)} ms</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
