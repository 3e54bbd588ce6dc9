import { Suspense } from 'react';
import type koTexts from '../../shared/i18n/help.ko.json';
import { helpTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { CameraChoice } from './camera-choice.tsx';
import type { CameraProblem } from './camera-problem.ts';
import { type Browser, browserOf, type SystemName } from './this-browser.ts';

type StepsKey = Extract<keyof typeof koTexts, `cameraHelp.${string}`>;

interface CameraStepsProps {
  readonly problem: CameraProblem;
  readonly withChoice?: boolean;
}

/** Pages of the system settings that browsers open by a link. */
const SETTINGS_LINKS: Partial<Record<SystemName, string>> = {
  windows: 'ms-settings:privacy-webcam',
  macos: 'x-apple.systempreferences:com.apple.preference.security?Privacy_Camera',
};
/** These cannot change until the page is opened elsewhere. */
const FINAL = new Set<CameraProblem>(['insecure', 'unsupported']);

/** Steps that solve a camera problem in this browser on this system. */
export function CameraSteps(props: CameraStepsProps) {
  return (
    <Suspense>
      <Steps {...props} />
      {props.withChoice && <CameraChoice />}
    </Suspense>
  );
}

function Steps({ problem }: CameraStepsProps) {
  const { t } = useTranslation(helpTexts);
  const here = browserOf(navigator);
  const browser = t(`cameraHelp.browser.${here.browser}`);
  const steps = t(cameraStepsKey(problem, here), { browser, host: window.location.hostname });
  const lines = steps.split('\n');
  const settings = problem === 'blockedBySystem' ? SETTINGS_LINKS[here.system] : undefined;
  return (
    <div className="grid justify-items-start gap-1.5 text-ink-soft text-small">
      <ol className={classNames('grid gap-1', lines.length > 1 && 'list-decimal ps-5')}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      {settings && (
        <a href={settings} className="font-semibold text-ink underline underline-offset-4">
          {t('cameraHelp.openSettings')}
        </a>
      )}
      {window.location.pathname !== paths.diagnostics && (
        <a
          href={paths.diagnostics}
          target="_blank"
          rel="noreferrer"
          className="font-semibold text-ink underline underline-offset-4"
        >
          {t('cameraHelp.check')}
        </a>
      )}
      {!FINAL.has(problem) && <p>{t('cameraHelp.automatic')}</p>}
    </div>
  );
}

/** The text key of the steps, one a line, for a problem in this browser and system. */
export function cameraStepsKey(problem: CameraProblem, { browser, system }: Browser): StepsKey {
  const isPhone = system === 'ios' || system === 'android';
  if (problem === 'denied') return `cameraHelp.denied.${whereDenied(browser, system)}`;
  if (problem === 'blockedBySystem') return `cameraHelp.blockedBySystem.${system}`;
  if (problem === 'missing') return `cameraHelp.missing.${isPhone ? 'phone' : 'other'}`;
  if (problem === 'unsupported' && browser === 'inApp') return 'cameraHelp.denied.inApp';
  if (problem !== 'inUse') return `cameraHelp.${problem}`;
  if (isPhone) return 'cameraHelp.inUse.phone';
  return `cameraHelp.inUse.${system === 'windows' ? 'windows' : 'other'}`;
}

/** Whether to describe the site settings of a desktop browser or of a phone's. */
function whereDenied(browser: Browser['browser'], system: SystemName) {
  if (browser === 'inApp') return 'inApp';
  if (system === 'ios') return browser === 'safari' ? 'iosSafari' : 'iosApp';
  if (system === 'android') return browser === 'samsung' ? 'samsung' : 'android';
  return browser === 'whale' || browser === 'samsung' ? 'chrome' : browser;
}
