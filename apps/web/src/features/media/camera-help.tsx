import { useTranslation } from '../../shared/i18n/texts.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import type { CameraProblem } from './camera-problem.ts';

/** Most learners never need them. */
const CameraSteps = onDemand(async () => (await import('./camera-steps.tsx')).CameraSteps, {
  isQuiet: true,
});

interface CameraHelpProps {
  readonly problem: CameraProblem;
  /** Offers other cameras, too. */
  readonly withChoice?: boolean;
}

/** What is wrong with the camera and what to do about it in this browser, cause by cause. */
export function CameraHelp(props: CameraHelpProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-1.5" data-camera-problem={props.problem}>
      <p className="font-semibold text-ink">{t(`camera.${props.problem}`)}</p>
      <CameraSteps {...props} />
    </div>
  );
}
