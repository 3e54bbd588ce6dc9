import { Component, type ReactNode } from 'react';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { Lamp } from './lamp.tsx';

interface Props {
  readonly children: ReactNode;
}

/** Shows a way on where rendering failed; everything around it goes on. */
export class ErrorBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <Failure /> : this.props.children;
  }
}

interface FailureProps {
  /** Tries the download again; absent where rendering failed. */
  readonly onRetry?: () => void;
}

/** Something cannot be shown: why, and the ways on. */
export function Failure({ onRetry }: FailureProps) {
  const { t } = useTranslation();
  return (
    <div
      role="alert"
      className="m-auto grid max-w-md justify-items-center gap-4 px-4 py-16 text-center"
    >
      <div className="text-ink-soft">
        <Lamp light="off" size={56} />
      </div>
      <h2 className="font-bold text-title">
        {t(onRetry ? 'common.notDownloaded' : 'common.unexpected')}
      </h2>
      {onRetry && <p className="text-ink-soft">{t('common.newVersion')}</p>}
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        {onRetry && <Button onClick={onRetry}>{t('common.retry')}</Button>}
        <Button variant="primary" onClick={() => location.reload()}>
          {t('common.reload')}
        </Button>
      </div>
    </div>
  );
}
