import type { FriendInvitation, FriendState, Friends, UserId } from '@mogakgong/contract';
import Armchair from 'lucide-react/icons/armchair';
import { Link } from 'wouter';
import { friendsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths, studyRoomPath } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { Checkbox, NotedLabel } from '../../shared/ui/checkbox.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { FriendRow } from './friend-row.tsx';
import { useFriendStates, useFriends } from './use-friends.ts';

/** A friend's state now, and whether they sit in the learner's room. */
export function FriendStatus({ state }: { readonly state: FriendState }) {
  const { t } = useTranslation(friendsTexts);
  const { status, place } = state;
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-caption text-ink-soft">
      <StatusDot status={status} />
      {t(`friends.status.${status}`)}
      {place?.way === 'here' && <span>· {t('friends.here')}</span>}
    </p>
  );
}

interface SitBesideProps {
  readonly state: FriendState;
  readonly name: string;
}

/** The way to the seat beside a friend: the entrance of their room, or the request to its host. */
export function SitBeside({ state: { place }, name }: SitBesideProps) {
  const { t } = useTranslation(friendsTexts);
  if (place === null || place.way === 'here') return null;
  const way = place.way === 'ask' ? 'askIn' : 'sit';
  return (
    <LinkButton size="small" icon={Armchair} href={studyRoomPath(place.roomId)}>
      {t(`friends.${way}`)}
      <span className="sr-only"> ({name})</span>
    </LinkButton>
  );
}

interface SharingProps extends Pick<Friends, 'sharesState'> {
  readonly userId: UserId;
}

/** The learner's own consent, without which they see no friend's state either. */
export function StateSharing({ userId, sharesState }: SharingProps) {
  const { t } = useTranslation(friendsTexts);
  const { share, isPending } = useFriendStates(userId);
  return (
    <Panel title={t('friends.sharing')}>
      <Checkbox
        label={<NotedLabel label={t('friends.share')} note={t('friends.shareNote')} />}
        checked={sharesState}
        aria-disabled={isPending || undefined}
        onChange={({ target }) => isPending || share(target.checked)}
      />
    </Panel>
  );
}

interface InvitationsProps {
  readonly userId: UserId;
  readonly invitations: readonly FriendInvitation[];
}

/** Invitations of friends into the rooms in which they sit. */
export function Invitations({ userId, invitations }: InvitationsProps) {
  const { t } = useTranslation(friendsTexts);
  const { decline } = useFriendStates(userId);
  return (
    <Panel title={t('friends.invitations')} lead={t('friends.invitationsLead')}>
      <ul className="divide-y divide-line">
        {invitations.map(({ from, roomId }) => (
          <FriendRow key={from.userId} person={from}>
            <Button size="small" variant="quiet" onClick={() => decline(from.userId)}>
              {t('friends.notNow')}
              <span className="sr-only"> ({from.nickname})</span>
            </Button>
            <LinkButton size="small" variant="primary" icon={Armchair} href={studyRoomPath(roomId)}>
              {t('friends.goThere')}
              <span className="sr-only"> ({from.nickname})</span>
            </LinkButton>
          </FriendRow>
        ))}
      </ul>
    </Panel>
  );
}

/** Invitations of friends on /main; nothing without any. */
export function InvitationsOnMain({ userId }: { readonly userId: UserId }) {
  const invitations = useFriends(userId).value?.invitations ?? [];
  return (
    invitations.length > 0 && (
      <div className="order-first lg:col-span-2">
        <Invitations {...{ userId, invitations }} />
      </div>
    )
  );
}

/** How many friends focus now, as a link to them; nothing without any. */
export function FocusingFriends({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(friendsTexts);
  const states = useFriends(userId).value?.states ?? [];
  const count = states.filter(({ status }) => status === 'focus').length;
  if (count === 0) return null;
  return (
    <Link href={paths.friends} className="text-ink-soft text-small underline hover:text-ink">
      {t('friends.focusing', { count })}
    </Link>
  );
}
