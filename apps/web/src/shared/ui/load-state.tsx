import { RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Loaded } from '../api/index.ts';
import { useTranslation } from '../i18n/texts.ts';
import { useIsOnline } from '../lib/use-is-online.ts';
import { Button } from './button.tsx';
import { Waiting } from './waiting.tsx';

interface LoadStateProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ReactNode;
}

/** A loaded value, its loading state, or its error with a retry. */
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

/** Why something could not be loaded, with a retry; without a network one line, until it is back. */
export function NotLoaded({ of, error }: NotLoadedProps) {
  const { t } = useTranslation();
  const isOnline = useIsOnline();
  const wasOnline = useRef(isOnline);
  useEffect(() => {
    if (isOnline && !wasOnline.current) reloadAll(of);
    wasOnline.current = isOnline;
  });
  if (!isOnline) return <p className="text-ink-soft text-small">{t('common.whenOnline')}</p>;
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
  /** The failed loads. */
  readonly of: readonly Loaded<unknown>[];
}

/** Loads all of them again. It stays during the reload, so that it keeps the focus if that fails. */
export function RetryButton({ of }: RetryButtonProps) {
  const { t } = useTranslation();
  const isLoading = of.some((loaded) => loaded.isLoading);
  return (
    <Button size="small" loading={isLoading} icon={RotateCw} onClick={() => reloadAll(of)}>
      {t('common.retry')}
    </Button>
  );
}

function reloadAll(failed: readonly Loaded<unknown>[]): void {
  for (const loaded of failed) loaded.reload();
}
