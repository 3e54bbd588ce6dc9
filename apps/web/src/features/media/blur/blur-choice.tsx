import { roomTexts } from '../../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../../shared/i18n/texts.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Checkbox } from '../../../shared/ui/checkbox.tsx';
import { camera, setBlurWanted, useBlurWanted, useCamera } from '../camera.ts';
import { canBlur } from './can-blur.ts';

/** The switch of the blurred background. */
export function BlurChoice() {
  const { t } = useTranslation(roomTexts);
  const { kind } = useCamera();
  const isWanted = useBlurWanted();
  return (
    <div>
      <Checkbox
        label={
          <>
            {t('blur.on')}
            <span className="block text-caption text-ink-soft">{t('blur.note')}</span>
          </>
        }
        checked={isWanted}
        onChange={({ target }) => setBlurWanted(target.checked)}
      />
      <p role="status" className="mt-1 pl-8 text-caption text-ink-soft empty:hidden">
        {isWanted && kind === 'starting' && t('blur.starting')}
      </p>
    </div>
  );
}

/** The same among the learner's settings in the room; nothing where the browser cannot blur. */
export function BlurSection() {
  const { t } = useTranslation(roomTexts);
  if (!canBlur()) return null;
  return (
    <section aria-label={t('blur.title')} className="grid gap-4">
      <h3 className="font-bold text-small">{t('blur.title')}</h3>
      <BlurChoice />
    </section>
  );
}

/** Why the camera is off although it works: its background cannot be blurred. Offers both ways to continue. */
export function BlurHelp({ problem }: { readonly problem: 'blurFailed' | 'blurSlow' }) {
  const { t } = useTranslation(roomTexts);
  return (
    <div className="grid gap-2" data-camera-problem={problem}>
      <p className="font-semibold text-ink">{t(`blur.${problem}`)}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => void camera.open()}>
          {t('blur.retry')}
        </Button>
        <Button size="small" onClick={() => setBlurWanted(false)}>
          {t('blur.without')}
        </Button>
      </div>
    </div>
  );
}
