import { type TextKey, useTranslation } from '../../shared/i18n/texts.ts';
import type { CameraProblem } from './camera-problem.ts';

const causes: Readonly<Record<CameraProblem, { title: TextKey; help: TextKey }>> = {
  denied: { title: 'camera.denied', help: 'camera.deniedHelp' },
  blockedBySystem: { title: 'camera.blockedBySystem', help: 'camera.blockedBySystemHelp' },
  inUse: { title: 'camera.inUse', help: 'camera.inUseHelp' },
  missing: { title: 'camera.missing', help: 'camera.missingHelp' },
  insecure: { title: 'camera.insecure', help: 'camera.insecureHelp' },
  unplugged: { title: 'camera.unplugged', help: 'camera.unpluggedHelp' },
  unknown: { title: 'camera.unknown', help: 'camera.unknownHelp' },
};

/** What is wrong with the camera and what to do about it, cause by cause. */
export function CameraHelp({ problem }: { readonly problem: CameraProblem }) {
  const { t } = useTranslation();
  const { title, help } = causes[problem];
  return (
    <div className="grid gap-1.5" data-camera-problem={problem}>
      <p className="font-semibold text-ink">{t(title)}</p>
      <p className="whitespace-pre-line text-ink-soft text-small">{t(help)}</p>
    </div>
  );
}
