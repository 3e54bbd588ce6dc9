import { useTranslation } from '../../shared/i18n/texts.ts';
import type { CameraProblem } from './camera-problem.ts';

/** What is wrong with the camera and what to do about it, cause by cause. */
export function CameraHelp({ problem }: { readonly problem: CameraProblem }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-1.5" data-camera-problem={problem}>
      <p className="font-semibold text-ink">{t(`camera.${problem}`)}</p>
      <p className="whitespace-pre-line text-ink-soft text-small">{t(`camera.${problem}Help`)}</p>
    </div>
  );
}
