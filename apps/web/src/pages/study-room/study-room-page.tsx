import { useParams } from 'wouter';
import { Entering, RoomMessage } from '../../room/entering/room-message.tsx';
import { useCurrentRoom } from '../../room/live/current-room.ts';
import { roomIdFrom } from '../../room/live/room-calls.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { StudyRoom } from './study-room.tsx';

const Lobby = onDemand(async () => (await import('../../room/entering/lobby.tsx')).Lobby);

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
