import type { RoomId } from '@mogakgong/contract';
import { useParams } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { useSession } from '../../features/auth/session.ts';
import { roomIdFrom } from '../../features/rooms/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { LogInAgain } from './log-in-again.tsx';
import { RoomMessage } from './room-message.tsx';
import { StudyRoom } from './study-room.tsx';

/** One study room (specification §2, `/studyroom/{roomId}`). */
export function StudyRoomPage() {
  const roomId = roomIdFrom(useParams<{ roomId: string }>().roomId);
  return roomId === null ? <NoSuchRoom /> : <RoomOfSession roomId={roomId} />;
}

function RoomOfSession({ roomId }: { readonly roomId: RoomId }) {
  const { t } = useTranslation();
  const userId = useOwnUserId();
  const nickname = useSession((session) => session.user?.nickname ?? '');
  usePageTitle(t('room.title', { number: roomId }));
  if (userId !== null) {
    return <StudyRoom key={roomId} roomId={roomId} userId={userId} nickname={nickname} />;
  }
  return <LogInAgain />;
}

function NoSuchRoom() {
  const { t } = useTranslation();
  usePageTitle(t('room.notFoundTitle'));
  return (
    <RoomMessage
      title={t('room.notFoundTitle')}
      text={t('room.notFoundHelp')}
      actions={
        <LinkButton variant="primary" href={paths.main}>
          {t('room.toMain')}
        </LinkButton>
      }
    />
  );
}
