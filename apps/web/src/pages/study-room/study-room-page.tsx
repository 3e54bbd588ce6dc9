import type { RoomId, UserId } from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import {
  checkStudyRoom,
  entryRefusal,
  type Refusal,
  roomIdFrom,
} from '../../features/rooms/index.ts';
import { useCurrentRoom } from '../../room/current-room.ts';
import { EnterDialog } from '../../room/enter-dialog.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { RoomMessage } from './room-message.tsx';
import { LogInAgain, RefusedRoom } from './stopped-room.tsx';
import { StudyRoom } from './study-room.tsx';

/** One study room (specification §2, `/studyroom/{roomId}`). */
export function StudyRoomPage() {
  const roomId = roomIdFrom(useParams<{ roomId: string }>().roomId);
  const userId = useOwnUserId();
  if (roomId === null) return <NoSuchRoom />;
  return userId === null ? <LogInAgain /> : <RoomOf key={roomId} {...{ roomId, userId }} />;
}

interface RoomOfProps {
  readonly roomId: RoomId;
  readonly userId: UserId;
}

/** The room where the learner sits in it, else the way in. */
function RoomOf({ roomId, userId }: RoomOfProps) {
  const { t } = useTranslation();
  const live = useCurrentRoom((room) => room.live);
  const isSeated = useCurrentRoom((room) => room.seat?.roomId === roomId);
  const isLeaving = useCurrentRoom((room) => room.leavingRoomId === roomId);
  usePageTitle(t('room.title', { number: roomId }));
  if (live?.roomId === roomId) return <StudyRoom live={live} userId={userId} />;
  if (isSeated) return <RoomMessage title={t('room.entering')} light="low" isBusy />;
  if (isLeaving) return <RoomMessage title={t('room.leaving')} isBusy />;
  return <Lobby roomId={roomId} />;
}

/** Looks the room up, then asks for the camera. */
function Lobby({ roomId }: { readonly roomId: RoomId }) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const [isKnown, setIsKnown] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    checkStudyRoom(roomId, stop.signal)
      .catch((error: unknown) => setRefusal(entryRefusal(error)))
      // What the question cannot answer, entering will.
      .finally(() => !stop.signal.aborted && setIsKnown(true));
    return () => stop.abort();
  }, [roomId]);
  if (refusal !== null) {
    return <RefusedRoom roomId={roomId} refusal={refusal} onRetry={() => setRefusal(null)} />;
  }
  return (
    <>
      <RoomMessage
        title={t('room.title', { number: roomId })}
        text={isKnown ? undefined : t('common.loading')}
        light="low"
        isBusy={!isKnown}
      />
      {isKnown && (
        <EnterDialog roomId={roomId} onClose={() => navigate(paths.main)} onRefused={setRefusal} />
      )}
    </>
  );
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
