import { IMAGE_SIDE_PX } from '@mogakgong/contract';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../shared/api/index.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import type { SavePicture, Saving } from './change-picture.ts';
import { type Crop, cropSquare, dragged, MAX_ZOOM, wholeCrop } from './crop.ts';

/** The server halves it: a picture that is made smaller twice would lose sharpness. */
const SIDE_PX = 2 * IMAGE_SIDE_PX;
const QUALITY = 0.92;

interface CropDialogProps {
  readonly picture: HTMLImageElement;
  /** Receives the cropped part. Its errors are shown, and saving can be repeated. */
  readonly save: SavePicture;
  readonly onClose: () => void;
}

/** Crops a picture. */
export function CropDialog({ picture, save: onSave, onClose }: CropDialogProps) {
  const { t } = useTranslation(accountTexts);
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState(wholeCrop);
  const { saving, problem, save } = useSaving(onSave, onClose);
  useEffect(() => {
    const { left, top, side } = cropSquare(sizeOf(picture), crop);
    const context = canvasRef.current?.getContext('2d');
    if (!context) return;
    context.imageSmoothingQuality = 'high';
    context.clearRect(0, 0, SIDE_PX, SIDE_PX);
    context.drawImage(picture, left, top, side, side, 0, 0, SIDE_PX, SIDE_PX);
  }, [picture, crop]);
  const pointerRef = useRef({ x: 0, y: 0 });
  const onPointerDown = ({ currentTarget, pointerId, clientX: x, clientY: y }: PointerEvent) => {
    currentTarget.setPointerCapture(pointerId);
    pointerRef.current = { x, y };
  };
  const onPointerMove = ({ buttons, currentTarget, clientX: x, clientY: y }: PointerEvent) => {
    if (buttons === 0 || saving !== null) return;
    const [before, { clientWidth }] = [pointerRef.current, currentTarget];
    pointerRef.current = { x, y };
    const [byX, byY] = [(x - before.x) / clientWidth, (y - before.y) / clientWidth];
    setCrop(dragged(sizeOf(picture), crop, byX, byY));
  };
  return (
    <Dialog
      title={t('crop.title')}
      onClose={saving === 'choosing' ? undefined : onClose}
      actions={
        <>
          <Button variant="quiet" disabled={saving === 'choosing'} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            variant="primary"
            loading={saving !== null}
            onClick={() =>
              canvasRef.current?.toBlob((blob) => void save(blob), 'image/webp', QUALITY)
            }
          >
            {t('crop.save')}
          </Button>
        </>
      }
    >
      <p className="text-small">{t('crop.help')}</p>
      <canvas
        ref={canvasRef}
        width={SIDE_PX}
        height={SIDE_PX}
        role="img"
        aria-label={t('crop.preview')}
        className="mx-auto my-4 block w-56 touch-none cursor-grab rounded-full bg-raised active:cursor-grabbing"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
      />
      <CropSliders picture={picture} crop={crop} isDisabled={saving !== null} onChange={setCrop} />
      <div role="status" className="mt-3 text-small">
        {saving !== null && (
          <label className="grid gap-1.5">
            {t('crop.progress')}
            <progress
              className="w-full accent-primary"
              value={saving === 'choosing' ? 1 : saving}
              max={1}
            />
          </label>
        )}
      </div>
      <FormError text={problem} />
    </Dialog>
  );
}

interface CropSlidersProps {
  readonly picture: HTMLImageElement;
  readonly crop: Crop;
  readonly isDisabled: boolean;
  readonly onChange: (crop: Crop) => void;
}

/** The same by keyboard. */
function CropSliders({ picture, crop, isDisabled, onChange }: CropSlidersProps) {
  const { t } = useTranslation(accountTexts);
  const { free } = cropSquare(sizeOf(picture), crop);
  const sliders = [
    { name: 'zoom', min: 1, max: MAX_ZOOM, isUseless: false },
    { name: 'across', min: 0, max: 1, isUseless: free.across === 0 },
    { name: 'down', min: 0, max: 1, isUseless: free.down === 0 },
  ] as const;
  return sliders.map(({ name, min, max, isUseless }) => (
    <label key={name} className="grid grid-cols-[6rem_1fr] items-center gap-3 text-small">
      {t(`crop.${name}`)}
      <input
        type="range"
        className="min-h-9 rounded-small accent-primary pointer-coarse:min-h-11"
        min={min}
        max={max}
        step="0.01"
        value={crop[name]}
        disabled={isDisabled || isUseless}
        onChange={({ target }) => onChange({ ...crop, [name]: Number(target.value) })}
      />
    </label>
  ));
}

const sizeOf = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => ({
  width,
  height,
});

/** Saves while the component is mounted, and closes it then. */
function useSaving(onSave: SavePicture, onDone: () => void) {
  const { t } = useTranslation(accountTexts);
  const [saving, setSaving] = useState<Saving | null>(null);
  const [problem, setProblem] = useState<string>();
  const savingRef = useRef<AbortController | null>(null);
  useEffect(() => () => savingRef.current?.abort(), []);

  const save = async (picture: Blob | null) => {
    if (picture === null) return setProblem(t('picture.unreadable'));
    // A second press before the picture was drawn.
    if (savingRef.current) return;
    const upload = new AbortController();
    savingRef.current = upload;
    setProblem(undefined);
    setSaving(0);
    try {
      await onSave(picture, { signal: upload.signal, onProgress: setSaving });
      onDone();
    } catch (error) {
      savingRef.current = null;
      setSaving(null);
      setProblem(messageOf(error, t('picture.uploadFailed')));
    }
  };
  return { saving, problem, save };
}
