import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Loaded } from '../api/index.ts';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';

interface LoadStateProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ReactNode;
}

/** What was loaded, or that it is being loaded, or why it could not be and the way to try again. */
export function LoadState<T>({ of: loaded, children }: LoadStateProps<T>) {
  if (loaded.value !== null) return children(loaded.value);
  if (loaded.error !== null) return <NotLoaded loaded={loaded} />;
  return <LoadingText />;
}

export function LoadingText() {
  const { t } = useTranslation();
  return (
    <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-ink-soft">
      <Spinner />
      {t('common.loading')}
    </p>
  );
}

/** Why something could not be loaded, and the way to try again. */
export function NotLoaded({ loaded }: { readonly loaded: Loaded<unknown> }) {
  const { t } = useTranslation();
  return (
    <div
      role="alert"
      className="grid min-h-40 content-center justify-items-center gap-3 text-center"
    >
      <p className="font-semibold">{t('common.loadFailed')}</p>
      <p className="text-ink-soft text-small">{loaded.error}</p>
      <RetryButton isLoading={loaded.isLoading} onRetry={loaded.reload} />
    </div>
  );
}

interface RetryButtonProps {
  /** It is being asked for again. */
  readonly isLoading?: boolean;
  readonly onRetry: () => void;
}

/** Asks again. It stays while that runs, so that it keeps the focus if it fails once more. */
export function RetryButton({ isLoading = false, onRetry }: RetryButtonProps) {
  const { t } = useTranslation();
  return (
    <Button size="small" loading={isLoading} icon={RotateCw} onClick={onRetry}>
      {t('common.retry')}
    </Button>
  );
}
