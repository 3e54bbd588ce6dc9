import { useRef, useState } from 'react';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import type { SavePicture } from './change-picture.ts';
import { CropDialog } from './crop-dialog.tsx';

interface ChoosePictureProps {
  readonly label: string;
  readonly save: SavePicture;
}

/** A button that chooses a picture of this computer and crops it. */
export function ChoosePicture({ label, save }: ChoosePictureProps) {
  const { t } = useTranslation(accountTexts);
  const inputRef = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<HTMLImageElement | null>(null);
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    if (!file.type.startsWith('image/')) return notify.toast(t('picture.notImage'), 'bad');
    try {
      setPicture(await decoded(file));
    } catch {
      notify.toast(t('picture.unreadable'), 'bad');
    }
  };
  return (
    <>
      <Button onClick={() => inputRef.current?.click()}>{label}</Button>
      <input
        ref={inputRef}
        type="file"
        accept="image/*"
        hidden
        aria-label={label}
        onChange={({ target }) => {
          void open(target.files?.[0]);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
      {picture && <CropDialog picture={picture} save={save} onClose={() => setPicture(null)} />}
    </>
  );
}

/** A picture of this computer, ready to be drawn; rejects where the browser cannot read it. */
async function decoded(file: File): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(file);
  const picture = new Image();
  picture.src = address;
  await picture.decode().finally(() => URL.revokeObjectURL(address));
  return picture;
}
