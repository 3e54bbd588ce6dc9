import { DEFAULT_PROFILE_IMAGE, type UserId } from '@mogakgong/contract';
import { useRef, useState } from 'react';
import { messageOf } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { changePicture } from './change-picture.ts';
import { profileTexts } from './profile-texts.ts';

const AVATAR_PX = 96;

/** Downloaded with the first picture that is chosen. */
const CropDialog = onDemand(async () => (await import('./crop-dialog.tsx')).CropDialog);

interface ProfilePictureProps {
  readonly userId: UserId;
  readonly nickname: string;
  readonly profileImage: string;
}

/** The learner's picture, and the way to another one. */
export function ProfilePicture({ userId, nickname, profileImage }: ProfilePictureProps) {
  const { t } = useTranslation(profileTexts);
  const inputRef = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<HTMLImageElement | null>(null);
  const [isRemoving, setIsRemoving] = useState(false);
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    if (!file.type.startsWith('image/')) return notify.toast(t('picture.notImage'), 'bad');
    try {
      setPicture(await decoded(file));
    } catch {
      notify.toast(t('picture.unreadable'), 'bad');
    }
  };
  const remove = async () => {
    setIsRemoving(true);
    try {
      await changePicture(userId, DEFAULT_PROFILE_IMAGE, t('picture.changeFailed'));
      notify.toast(t('picture.removed'), 'good');
    } catch (error) {
      notify.toast(messageOf(error, t('picture.changeFailed')), 'bad');
    }
    setIsRemoving(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <Avatar name={nickname} image={profileImage} size={AVATAR_PX} />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => inputRef.current?.click()}>{t('picture.change')}</Button>
        {profileImage !== DEFAULT_PROFILE_IMAGE && (
          <Button variant="quiet" loading={isRemoving} onClick={() => void remove()}>
            {t('picture.remove')}
          </Button>
        )}
      </div>
      <input
        ref={inputRef}
        type="file"
        accept="image/*"
        hidden
        aria-label={t('picture.change')}
        onChange={({ target }) => {
          void open(target.files?.[0]);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
      {picture && <CropDialog userId={userId} picture={picture} onClose={() => setPicture(null)} />}
    </div>
  );
}

/** A picture of this computer, ready to be drawn; rejects for what the browser cannot read. */
async function decoded(file: File): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(file);
  const picture = new Image();
  picture.src = address;
  await picture.decode().finally(() => URL.revokeObjectURL(address));
  return picture;
}
