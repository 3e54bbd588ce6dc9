import { useParams } from 'wouter';
import { roomIdFrom } from '../../features/rooms/room-calls.ts';
import { useCurrentRoom } from '../../room/current-room.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Entering, RoomMessage } from './room-message.tsx';
import { StudyRoom } from './study-room.tsx';

const Lobby = onDemand(async () => (await import('./lobby.tsx')).Lobby);

/**
 * One study room (specification §2, `/studyroom/{roomId}`): the room for a seated learner, else its entrance.
 */
export function StudyRoomPage() {
  const { t } = useTranslation();
  const roomId = roomIdFrom(useParams<{ roomId: string }>().roomId);
  const live = useCurrentRoom((room) => room.live);
  const isSeated = useCurrentRoom((room) => room.seat?.roomId === roomId);
  const isLeaving = useCurrentRoom((room) => roomId !== null && room.leavingRoomId === roomId);
  usePageTitle(roomId === null ? t('room.notFoundTitle') : t('room.title', { number: roomId }));
  if (live?.roomId === roomId) return <StudyRoom key={roomId} live={live} />;
  if (isSeated) return <Entering />;
  if (isLeaving) return <RoomMessage title={t('room.leaving')} isBusy />;
  return <Lobby key={roomId} roomId={roomId} />;
}
