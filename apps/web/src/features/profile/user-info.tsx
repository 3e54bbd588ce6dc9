import type { UserId } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import { useLoadedProfile } from '../../shared/api/profile.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { RetryButton } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { EmailRow } from './email-row.tsx';
import { NicknameRow } from './nickname-row.tsx';
import { ProfilePicture } from './profile-picture.tsx';

interface UserInfoProps {
  readonly userId: UserId;
  readonly nickname: string;
  readonly email: string;
  readonly profileImage: string;
  /** Further rows. */
  readonly children?: ReactNode;
}

/** The learner's public profile (specification §2, user info section). */
export function UserInfo({ children, ...props }: UserInfoProps) {
  const { t } = useTranslation(accountTexts);
  const profile = useLoadedProfile(props.userId);
  return (
    <Panel title={t('info.title')}>
      {profile.value === null && profile.error !== null && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-danger text-small">{profile.error}</p>
          <RetryButton of={[profile]} />
        </div>
      )}
      <ProfilePicture {...props} />
      <NicknameRow userId={props.userId} nickname={props.nickname} />
      <EmailRow userId={props.userId} email={props.email} />
      {children}
    </Panel>
  );
}
