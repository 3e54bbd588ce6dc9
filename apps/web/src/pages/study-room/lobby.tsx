import type { RoomId } from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { checkStudyRoom, entryRefusal, type Refusal } from '../../features/rooms/room-calls.ts';
import { EnterDialog } from '../../room/enter-dialog.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { RoomMessage } from './room-message.tsx';
import { LogInAgain, RefusedRoom, ToMain } from './stopped-room.tsx';

/** The way into a room; null: the address names none. */
export function Lobby({ roomId }: { readonly roomId: RoomId | null }) {
  const { t } = useTranslation();
  const userId = useOwnUserId();
  if (userId === null) return <LogInAgain />;
  if (roomId !== null) return <OpenLobby roomId={roomId} />;
  return (
    <RoomMessage
      title={t('room.notFoundTitle')}
      text={t('room.notFoundHelp')}
      actions={<ToMain />}
    />
  );
}

/** Looks the room up, then asks for the camera. */
function OpenLobby({ roomId }: { readonly roomId: RoomId }) {
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
