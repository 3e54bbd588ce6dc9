import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Loaded } from '../api/index.ts';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { Waiting } from './waiting.tsx';

interface LoadStateProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ReactNode;
}

/** What was loaded, or that it is being loaded, or why it could not be and the way to try again. */
export function LoadState<T>({ of: loaded, children }: LoadStateProps<T>) {
  if (loaded.value !== null) return children(loaded.value);
  if (loaded.error !== null) return <NotLoaded of={[loaded]} error={loaded.error} />;
  return <LoadingText />;
}

export function LoadingText() {
  const { t } = useTranslation();
  return <Waiting className="min-h-40">{t('common.loading')}</Waiting>;
}

interface NotLoadedProps extends RetryButtonProps {
  readonly error: string;
}

/** Why something could not be loaded, and the way to try again. */
export function NotLoaded({ of, error }: NotLoadedProps) {
  const { t } = useTranslation();
  return (
    <div
      role="alert"
      className="grid min-h-40 content-center justify-items-center gap-3 text-center"
    >
      <p className="font-semibold">{t('common.loadFailed')}</p>
      <p className="text-ink-soft text-small">{error}</p>
      <RetryButton of={of} />
    </div>
  );
}

interface RetryButtonProps {
  /** What could not be loaded. */
  readonly of: readonly Loaded<unknown>[];
}

/** Asks for all of it again. It stays while that runs, so that it keeps the focus if it fails once more. */
export function RetryButton({ of }: RetryButtonProps) {
  const { t } = useTranslation();
  const isLoading = of.some((loaded) => loaded.isLoading);
  const reload = () => {
    for (const loaded of of) loaded.reload();
  };
  return (
    <Button size="small" loading={isLoading} icon={RotateCw} onClick={reload}>
      {t('common.retry')}
    </Button>
  );
}
