import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Loaded } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { useStatisticsText } from './statistics-texts.ts';

interface LoadStateProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ReactNode;
}

/** What was loaded, or that it is being loaded, or why it could not be and the way to try again. */
export function LoadState<T>({ of: loaded, children }: LoadStateProps<T>) {
  const { t: common } = useTranslation();
  if (loaded.value !== null) return children(loaded.value);
  if (loaded.hasFailed) return <NotLoaded loaded={loaded} />;
  return (
    <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-ink-soft">
      <Spinner />
      {common('common.loading')}
    </p>
  );
}

function NotLoaded({ loaded }: { readonly loaded: Loaded<unknown> }) {
  const t = useStatisticsText();
  return (
    <div role="alert" className="grid min-h-40 content-center justify-items-center gap-3">
      <p className="font-semibold">{t('load.failed')}</p>
      <p className="text-ink-soft text-small">{loaded.error}</p>
      <RetryButton onRetry={loaded.reload} />
    </div>
  );
}

/** Asks again. */
export function RetryButton({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Button size="small" icon={<RotateCw size={16} aria-hidden="true" />} onClick={onRetry}>
      {t('common.retry')}
    </Button>
  );
}
