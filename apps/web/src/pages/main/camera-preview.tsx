import { useMemo } from 'react';
import {
  CameraHelp,
  cameraPicture,
  type useCamera,
  VideoPicture,
} from '../../features/media/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';

/** One's own picture before entering, or why there is none and what to do about it. */
export function CameraPreview({ state }: { readonly state: ReturnType<typeof useCamera> }) {
  const { t } = useTranslation();
  const track = state.kind === 'on' ? state.track : null;
  const picture = useMemo(() => (track === null ? null : cameraPicture(track)), [track]);
  return (
    <div className="grid gap-4">
      <div className="relative grid aspect-video place-items-center overflow-hidden rounded-medium bg-raised">
        {picture === null ? (
          <Lamp light={state.kind === 'failed' ? 'off' : 'low'} size={72} decorative />
        ) : (
          <VideoPicture picture={picture} isMirrored />
        )}
      </div>
      <div role="status" className="text-small">
        {state.kind === 'failed' ? (
          <div className="grid gap-3">
            <p className="font-semibold text-danger">{t('camera.unavailable')}</p>
            <CameraHelp problem={state.problem} />
          </div>
        ) : (
          <p className="flex items-center gap-2">
            {state.kind !== 'on' && <Spinner />}
            {t(state.kind === 'on' ? 'enter.ready' : 'enter.asking')}
          </p>
        )}
      </div>
    </div>
  );
}
