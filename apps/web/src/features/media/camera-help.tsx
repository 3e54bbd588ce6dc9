import { Suspense } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { BlurHelp } from './blur/blur-choice.tsx';
import { type BlurProblem, type CameraProblem, isBlurProblem } from './camera-problem.ts';
import { CameraSteps } from './camera-steps.tsx';

interface CameraHelpProps {
  readonly problem: CameraProblem | BlurProblem;
  /** Offers other cameras, too. */
  readonly withChoice?: boolean;
}

/** Explains a camera problem and how to solve it in this browser, cause by cause. */
export function CameraHelp({ problem, ...props }: CameraHelpProps) {
  const { t } = useTranslation();
  if (isBlurProblem(problem)) {
    return (
      <Suspense>
        <BlurHelp problem={problem} />
      </Suspense>
    );
  }
  return (
    <div className="grid gap-1.5" data-camera-problem={problem}>
      <p className="font-semibold text-ink">{t(`camera.${problem}`)}</p>
      <CameraSteps problem={problem} {...props} />
    </div>
  );
}
