import { DEFAULT_PROFILE_IMAGE } from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ChoosePicture } from './choose-picture.tsx';
import { profileTexts } from './profile-texts.ts';

const AVATAR_PX = 64;

interface FirstPictureProps {
  /** As currently in the form. */
  readonly nickname: string;
  readonly picture: Blob | null;
  readonly onChange: (picture: Blob | null) => void;
}

/** A new person's picture, kept in the page until there is an account to upload it to. */
export function FirstPicture({ nickname, picture, onChange }: FirstPictureProps) {
  const { t } = useTranslation(profileTexts);
  const address = useAddress(picture);
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-semibold text-small">{t('picture.first')}</legend>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Avatar name={nickname} image={address ?? DEFAULT_PROFILE_IMAGE} size={AVATAR_PX} />
        <ChoosePicture
          label={t(picture ? 'picture.change' : 'picture.choose')}
          save={async (chosen) => onChange(chosen)}
        />
        {picture && (
          <Button variant="quiet" onClick={() => onChange(null)}>
            {t('picture.remove')}
          </Button>
        )}
      </div>
      <p className="text-caption text-ink-soft">{t('picture.firstHint')}</p>
    </fieldset>
  );
}

/** The object URL of a picture, while it is shown. */
function useAddress(picture: Blob | null): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (picture === null) return;
    const created = URL.createObjectURL(picture);
    setAddress(created);
    return () => {
      setAddress(undefined);
      URL.revokeObjectURL(created);
    };
  }, [picture]);
  return address;
}
