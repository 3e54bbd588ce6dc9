import { Component, type ReactNode } from 'react';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
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
    <div role="alert" className="m-auto">
      <EmptyState
        picture={<Lamp light="off" size={56} decorative />}
        title={t(onRetry ? 'common.notDownloaded' : 'common.unexpected')}
        text={onRetry && t('common.newVersion')}
        action={
          <>
            {onRetry && <Button onClick={onRetry}>{t('common.retry')}</Button>}
            <Button variant="primary" onClick={() => location.reload()}>
              {t('common.reload')}
            </Button>
          </>
        }
      />
    </div>
  );
}
