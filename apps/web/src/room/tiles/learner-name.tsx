import type { UserId } from '@mogakgong/contract';
import type { ComponentProps, ReactNode } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { NameMenu } from '../../features/blocks/name-menu.tsx';
import type { Sender } from '../../features/chat/chat-view.ts';
import { openReport } from '../../features/reports/report-target.ts';
import { translate, useTranslation } from '../../shared/i18n/texts.ts';
import type { Person } from '../../shared/lib/person.ts';
import { reportRejection } from '../../shared/lib/watch-errors.ts';
import { notify } from '../../shared/ui/notify.ts';
import { useCurrentRoom } from '../live/current-room.ts';
import { nodToNeighbour } from '../live/nods.ts';
import type { RoomLive } from '../live/room-live.ts';

/** Nods to a neighbour in the learner's room. */
export function nodTo(neighbour: Person): void {
  const { seat } = useCurrentRoom.getState();
  if (seat === null) return;
  nodToNeighbour(seat.roomId, neighbour).catch(reportRejection);
}

/** Sends a friend request to a neighbour in the learner's room. */
function befriend(neighbour: Person): void {
  const { seat } = useCurrentRoom.getState();
  if (seat === null) return;
  import('../../features/friends/in-room.ts')
    .then(({ askToBeFriends }) => askToBeFriends(seat.roomId, neighbour))
    // The code, or its texts.
    .catch(() => notify.toast(translate('common.notDownloaded'), 'bad'));
}

type LearnerNameProps = Omit<ComponentProps<typeof NameMenu>, 'onReport' | 'onNod' | 'onFriend'>;

/** Another learner's name in the room, with the menu to nod to, befriend, report and block them. */
export function LearnerName(props: LearnerNameProps) {
  const { userId, name } = props;
  const person = { userId, name };
  return (
    <NameMenu
      {...props}
      onReport={() => openReport(person)}
      onNod={() => nodTo(person)}
      onFriend={() => befriend(person)}
    />
  );
}

/** The learner's own name among the others; a long one is truncated before the mark. */
export function OwnName({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  return (
    <p className="flex">
      <span className="truncate">{name}</span>
      <span className="shrink-0 whitespace-pre"> {t('tile.selfMark')}</span>
    </p>
  );
}

/** Renders other people's names in the chat for one learner. */
export function renderNameFor(selfId: UserId): (sender: Sender, text?: string) => ReactNode {
  return ({ userId, nickname }, text) => (
    <LearnerName selfId={selfId} userId={userId} name={nickname} text={text} />
  );
}

/** A field of every member of the room, by user id; the same map until one value changes. */
export function useMemberField(
  store: RoomLive['store'],
  field: 'nickname' | 'profileImage',
): ReadonlyMap<UserId, string> {
  return useStore(
    store,
    useShallow(({ members }) => new Map(members?.map((m) => [m.userId, m[field]]))),
  );
}
