import {
  askByFriendLink,
  type FriendStanding,
  type RouteReply,
  readFriendLink,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import Copy from 'lucide-react/icons/copy';
import UserPlus from 'lucide-react/icons/user-plus';
import { AuthCard } from '../../features/auth/auth-page.tsx';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { VisitorLinks } from '../../features/auth/visitor-links.tsx';
import { friendLinkAddress } from '../../features/friends/own-link.tsx';
import { asRefusal, call, messageOf } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { friendsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useOpenedLink } from '../../shared/lib/opened-link.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { copyText } from '../../shared/ui/copy-text.ts';
import { FormError } from '../../shared/ui/form-error.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';

const AVATAR_PX = 72;

/** Opened by a friend link: its owner and a button to send a request, after log-in or sign-up. */
export function FriendLinkPage() {
  const { t } = useTranslation(friendsTexts);
  const userId = useOwnUserId();
  const link = useOpenedLink('friend');
  if (link === null) {
    return (
      <AuthCard title={t('opened.none')} lead={t('opened.noneHelp')}>
        <LinkButton wide href={paths.friends}>
          {t('opened.toFriends')}
        </LinkButton>
      </AuthCard>
    );
  }
  if (userId !== null) return <OpenedLink userId={userId} link={link} />;
  return (
    <AuthCard title={t('opened.title')} lead={t('opened.visitorLead')}>
      <VisitorLinks next={paths.friendLink} login={t('opened.login')} join={t('opened.join')} />
    </AuthCard>
  );
}

interface OpenedLinkProps {
  readonly userId: UserId;
  readonly link: string;
}

function OpenedLink({ userId, link }: OpenedLinkProps) {
  const { t, language } = useTranslation(friendsTexts);
  const key = ['friendLink', userId, link, language];
  const loaded = useLoaded(
    key,
    (signal) =>
      call(readFriendLink, { body: { link } }, { signal, fallback: t('opened.failed') }).catch(
        asRefusal('friendLinkEnded', 'cannotBefriendYourself'),
      ),
    { refetchOnMount: 'always', refetchOnWindowFocus: 'always' },
  );
  const refused = loaded.value && 'refused' in loaded.value ? loaded.value.refused : null;
  const isOwn = refused === 'cannotBefriendYourself';
  return (
    <AuthCard
      title={t(isOwn ? 'opened.own' : refused ? 'opened.failed' : 'opened.title')}
      lead=""
      links={{ [paths.friends]: t('opened.toFriends') }}
    >
      <LoadState of={loaded}>
        {(opened) => {
          if (isOwn) return <OwnOpenedLink link={link} />;
          if ('refused' in opened)
            return (
              <p role="status" className="text-center">
                {opened.text}
              </p>
            );
          return (
            <LinkOwner
              {...opened}
              link={link}
              onAsked={(standing) => queryClient.setQueryData(key, { ...opened, standing })}
            />
          );
        }}
      </LoadState>
    </AuthCard>
  );
}

/** Explains the learner's own link, and lets them share it. */
function OwnOpenedLink({ link }: Pick<OpenedLinkProps, 'link'>) {
  const { t } = useTranslation(friendsTexts);
  return (
    <div className="grid gap-5 text-center">
      <p role="status">{t('link.lead')}</p>
      <Button
        variant="primary"
        size="large"
        wide
        icon={Copy}
        onClick={() => void copyText(friendLinkAddress(link))}
      >
        {t('link.copy')}
      </Button>
    </div>
  );
}

interface LinkOwnerProps extends RouteReply<typeof readFriendLink> {
  readonly link: string;
  readonly onAsked: (standing: FriendStanding) => void;
}

function LinkOwner({ link, owner, standing, onAsked }: LinkOwnerProps) {
  const { t } = useTranslation(friendsTexts);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(askByFriendLink, { body: { link } }, { fallback: t('friends.failed') }),
    onSuccess: ({ standing: now }) => onAsked(now),
  });
  return (
    <div className="grid justify-items-center gap-5 text-center">
      <div className="grid justify-items-center gap-3">
        <Avatar name={owner.nickname} image={owner.profileImage} size={AVATAR_PX} />
        <p className="max-w-full text-balance break-words font-bold text-lead">{owner.nickname}</p>
        <p role="status" className="text-ink-soft text-small">
          {t(`opened.standing.${standing}`)}
        </p>
      </div>
      {error && <FormError text={messageOf(error)} />}
      {(standing === 'none' || standing === 'asks') && (
        <Button
          variant="primary"
          size="large"
          wide
          icon={UserPlus}
          loading={isPending}
          onClick={() => mutate()}
        >
          {t(standing === 'none' ? 'opened.ask' : 'opened.accept')}
        </Button>
      )}
    </div>
  );
}
