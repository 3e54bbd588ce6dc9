import { CameraHelp, useCamera } from '../../features/media/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { NoticeBar } from './notice-bar.tsx';

/** Says in the room that one's own camera is gone, and how to get it back. */
export function CameraNotice({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation();
  const camera = useCamera();
  return (
    <div role="status">
      {camera.kind === 'failed' && (
        <NoticeBar
          tone="bad"
          action={
            <Button size="small" onClick={onRetry}>
              {t('common.retry')}
            </Button>
          }
        >
          <CameraHelp problem={camera.problem} />
        </NoticeBar>
      )}
    </div>
  );
}
