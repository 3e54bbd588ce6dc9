import { readGroupInvitation, type UserId } from '@mogakgong/contract';
import { useLocation } from 'wouter';
import { AuthCard } from '../../features/auth/auth-page.tsx';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { VisitorLinks } from '../../features/auth/visitor-links.tsx';
import { GroupSummary } from '../../features/groups/group-summary.tsx';
import { JoinGroup } from '../../features/groups/join-group.tsx';
import { groupsKey } from '../../features/groups/use-groups.ts';
import { asRefusal, call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useOpenedLink } from '../../shared/lib/opened-link.ts';
import { groupPath, paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';

/** Opened by the link of a group: the way into it, after log-in or sign-up. */
export function GroupLinkPage() {
  const { t } = useTranslation(groupsTexts);
  const userId = useOwnUserId();
  const invitation = useOpenedLink('group');
  if (invitation === null) {
    return (
      <AuthCard title={t('link.none')} lead={t('link.noneHelp')}>
        <LinkButton wide href={paths.groups}>
          {t('link.toGroups')}
        </LinkButton>
      </AuthCard>
    );
  }
  if (userId !== null) return <OpenedGroup userId={userId} invitation={invitation} />;
  return (
    <AuthCard title={t('link.title')} lead={t('link.visitorLead')}>
      <VisitorLinks next={paths.groupLink} login={t('link.login')} join={t('link.join')} />
    </AuthCard>
  );
}

interface OpenedGroupProps {
  readonly userId: UserId;
  readonly invitation: string;
}

function OpenedGroup({ userId, invitation }: OpenedGroupProps) {
  const { t, language } = useTranslation(groupsTexts);
  const [, navigate] = useLocation();
  const loaded = useLoaded(
    [...groupsKey(userId), 'link', invitation, language],
    (signal) =>
      call(
        readGroupInvitation,
        { body: { invitation } },
        { signal, fallback: t('link.failed') },
      ).catch(asRefusal('groupInvitationEnded', 'blockedPersonInGroup')),
    { refetchOnMount: 'always', refetchOnWindowFocus: 'always' },
  );
  const isRefused = loaded.value !== null && 'refused' in loaded.value;
  return (
    <AuthCard
      title={t(isRefused ? 'link.failed' : 'link.title')}
      lead=""
      links={{ [paths.groups]: t('link.toGroups') }}
    >
      <LoadState of={loaded}>
        {(opened) => {
          if ('refused' in opened)
            return (
              <p role="status" className="text-center">
                {opened.text}
              </p>
            );
          const { group, standing } = opened;
          const address = groupPath(group.groupId);
          return (
            <div className="grid gap-5">
              <div className="grid gap-1.5">
                <GroupSummary group={group} />
              </div>
              {standing === 'member' ? (
                <LinkButton variant="primary" size="large" wide href={address}>
                  {t('link.toGroup')}
                </LinkButton>
              ) : (
                <JoinGroup
                  {...{ userId, group, standing, invitation }}
                  onJoined={() => navigate(address)}
                />
              )}
            </div>
          );
        }}
      </LoadState>
    </AuthCard>
  );
}
