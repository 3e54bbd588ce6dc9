import type { UserId } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { ProfilePicture } from './profile-picture.tsx';
import { profileTexts } from './profile-texts.ts';

interface UserInfoProps {
  readonly userId: UserId;
  readonly nickname: string;
  readonly profileImage: string;
}

/** Who the learner is to others (specification §2, user info section). */
export function UserInfo(props: UserInfoProps) {
  const { t } = useTranslation(profileTexts);
  return (
    <Panel title={t('info.title')}>
      <ProfilePicture {...props} />
    </Panel>
  );
}
