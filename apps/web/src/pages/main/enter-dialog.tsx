import { useEffect, useRef } from 'react';
import { camera, useCamera } from '../../features/media/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { CameraPreview } from './camera-preview.tsx';
import { useEnter } from './use-enter.ts';

/**
 * The look into the mirror before one enters: the camera is opened here, and handed on to the room
 * when the learner enters (design §6). Closing the window switches it off.
 */
export function EnterDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const state = useCamera();
  const isHandedOn = useRef(false);
  const { isEntering, problem, enter } = useEnter(() => {
    isHandedOn.current = true;
  });

  useEffect(() => {
    void camera.open();
    return () => {
      if (!isHandedOn.current) camera.close();
    };
  }, []);

  return (
    <Dialog
      open
      title={t('enter.title')}
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          {state.kind === 'failed' ? (
            <Button variant="primary" onClick={() => void camera.open()}>
              {t('common.retry')}
            </Button>
          ) : (
            <Button
              variant="primary"
              loading={isEntering}
              disabled={state.kind !== 'on'}
              onClick={() => void enter()}
            >
              {t('enter.confirm')}
            </Button>
          )}
        </>
      }
    >
      <CameraPreview state={state} />
      <p role="alert" className="mt-3 text-danger text-small empty:hidden">
        {problem}
      </p>
    </Dialog>
  );
}
