import { renewFriendLink, type UserId } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import LinkIcon from 'lucide-react/icons/link';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { friendsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { SecretLink } from '../../shared/ui/secret-link.tsx';

import { changeFriends } from './use-friends.ts';

/** The address of a friend link; its secret is in the hash, which no server sees. */
export const friendLinkAddress = (link: string) =>
  `${window.location.origin}${paths.friendLink}#${link}`;

interface OwnLinkProps {
  readonly userId: UserId;
  readonly link: string | null;
}

/** The link for sending this learner a friend request: made on demand, replaceable. */
export function OwnLink({ userId, link }: OwnLinkProps) {
  const { t } = useTranslation(friendsTexts);
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(renewFriendLink, {}, { fallback: t('friends.failed') }),
    onSuccess: (made) => changeFriends(userId, made),
    onError: (error) => notifyFailure(error),
  });
  const renew = async () => {
    if (await confirmed(t('link.renewAsk'), t('link.renewText'), t('link.renew'))) mutate();
  };
  return (
    <Panel title={t('link.title')} lead={t('link.lead')}>
      {link === null ? (
        <div>
          <Button icon={LinkIcon} loading={isPending} onClick={() => mutate()}>
            {t('link.make')}
          </Button>
        </div>
      ) : (
        <SecretLink
          link={friendLinkAddress(link)}
          label={t('link.label')}
          shareLabel={t('link.share')}
          renewLabel={t('link.renew')}
          isRenewing={isPending}
          onRenew={() => void renew()}
        />
      )}
    </Panel>
  );
}
