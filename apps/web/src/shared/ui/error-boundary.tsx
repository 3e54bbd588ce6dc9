import { Component, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { forgetFailedTexts, useTranslation } from '../i18n/texts.ts';
import { DownloadError } from '../lib/import-chunk.ts';
import { useIsOnline } from '../lib/use-is-online.ts';
import { Button } from './button.tsx';
import { Lamp } from './lamp.tsx';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Whether it wraps a whole page, including its first heading. */
  readonly isPage?: boolean | undefined;
}

/**
 * Shows an error with a retry where rendering failed; everything around it keeps working. It renders again
 * after a press or a change of the address.
 */
export function ErrorBoundary(props: ErrorBoundaryProps) {
  const [path] = useLocation();
  return <Boundary path={path} {...props} />;
}

interface BoundaryProps extends ErrorBoundaryProps {
  readonly path: string;
}

interface BoundaryState {
  readonly failure: { readonly error: unknown } | null;
}

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: null };

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  override componentDidUpdate({ path }: BoundaryProps) {
    if (this.state.failure !== null && path !== this.props.path) this.#tryAgain();
  }

  readonly #tryAgain = () => {
    forgetFailedTexts();
    this.setState({ failure: null });
  };

  override render() {
    const { failure } = this.state;
    const { isPage, children } = this.props;
    if (failure === null) return children;
    const isDownload = failure.error instanceof DownloadError;
    return <Failure isPage={isPage} isDownload={isDownload} onRetry={this.#tryAgain} />;
  }
}

interface FailureProps extends Pick<ErrorBoundaryProps, 'isPage'> {
  /** Whether a download failed, rather than rendering. */
  readonly isDownload: boolean;
  readonly onRetry: () => void;
}

/** A part that cannot be shown: the reason, and a retry. */
export function Failure({ isPage = false, isDownload, onRetry }: FailureProps) {
  const { t } = useTranslation();
  const isOnline = useIsOnline();
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div
      role="alert"
      className="m-auto grid max-w-md justify-items-center gap-4 px-4 py-16 text-center"
    >
      <div className="text-ink-soft">
        <Lamp light="off" size={56} />
      </div>
      <Heading className="font-bold text-title">
        {t(isDownload ? 'common.notDownloaded' : 'common.unexpected')}
      </Heading>
      {isDownload && (
        <p className="text-pretty text-ink-soft">
          {t(isOnline ? 'common.newVersion' : 'common.whenOnline')}
        </p>
      )}
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <Button onClick={onRetry}>{t('common.retry')}</Button>
        <Button variant="primary" onClick={() => location.reload()}>
          {t('common.reload')}
        </Button>
      </div>
    </div>
  );
}
