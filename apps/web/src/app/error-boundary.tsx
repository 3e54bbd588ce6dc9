import { Component, type ReactNode } from 'react';
import { useTranslation } from '../shared/i18n/texts.ts';
import { Button } from '../shared/ui/button.tsx';
import { EmptyState } from '../shared/ui/empty-state.tsx';
import { Lamp } from '../shared/ui/lamp.tsx';

interface Props {
  readonly children: ReactNode;
}

/** Shows a way back where rendering failed, for example because a page's code could not be downloaded. */
export class ErrorBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <FailedPage /> : this.props.children;
  }
}

function FailedPage() {
  const { t } = useTranslation();
  return (
    <main>
      <EmptyState
        picture={<Lamp light="off" size={72} decorative />}
        title={t('common.unexpected')}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {t('common.reload')}
          </Button>
        }
      />
    </main>
  );
}
