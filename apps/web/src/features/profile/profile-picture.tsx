import { DEFAULT_PROFILE_IMAGE, type UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { changePicture, type SavePicture, uploadPicture } from './change-picture.ts';
import { ChoosePicture } from './choose-picture.tsx';

const AVATAR_PX = 96;

interface ProfilePictureProps {
  readonly userId: UserId;
  readonly nickname: string;
  readonly profileImage: string;
}

/** The learner's picture, and the button to change it. */
export function ProfilePicture({ userId, nickname, profileImage }: ProfilePictureProps) {
  const { t } = useTranslation(accountTexts);
  const [isRemoving, setIsRemoving] = useState(false);
  const fallbacks = { upload: t('picture.uploadFailed'), change: t('picture.changeFailed') };
  const save: SavePicture = async (picture, options) => {
    await uploadPicture(userId, picture, fallbacks, options);
    notify.toast(t('picture.changed'), 'good');
  };
  const remove = async () => {
    setIsRemoving(true);
    try {
      await changePicture(userId, DEFAULT_PROFILE_IMAGE, fallbacks.change);
      notify.toast(t('picture.removed'), 'good');
    } catch (error) {
      notifyFailure(error, fallbacks.change);
    }
    setIsRemoving(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <Avatar name={nickname} image={profileImage} size={AVATAR_PX} />
      <div className="flex flex-wrap gap-2">
        <ChoosePicture label={t('picture.change')} save={save} />
        {profileImage !== DEFAULT_PROFILE_IMAGE && (
          <Button variant="quiet" loading={isRemoving} onClick={() => void remove()}>
            {t('picture.remove')}
          </Button>
        )}
      </div>
    </div>
  );
}
