import { Suspense } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { BlurChoice } from './blur/blur-choice.tsx';
import { canBlur } from './blur/can-blur.ts';
import { useCamera } from './camera.ts';
import { CameraChoice } from './camera-choice.tsx';
import { CameraHelp } from './camera-help.tsx';
import { VideoPicture } from './video-picture.tsx';

interface CameraPreviewProps {
  /** Mirrored, as the learner chose it for the room. */
  readonly isMirrored: boolean;
}

/** The learner's own picture before entering, or the problem and its solution. */
export function CameraPreview({ isMirrored }: CameraPreviewProps) {
  const { t } = useTranslation();
  const state = useCamera();
  return (
    <div className="grid gap-4">
      <div className="relative grid aspect-video place-items-center overflow-hidden rounded-medium bg-raised">
        {state.kind === 'on' ? (
          <VideoPicture picture={state.picture} isMirrored={isMirrored} />
        ) : (
          <Lamp light={state.kind === 'failed' ? 'off' : 'low'} size={72} />
        )}
      </div>
      <CameraChoice />
      {canBlur() && (
        // The space is reserved, because buttons stand below.
        <div className="min-h-12">
          <Suspense>
            <BlurChoice />
          </Suspense>
        </div>
      )}
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
