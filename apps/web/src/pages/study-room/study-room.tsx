import type { RoomId, UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { useWakeLock } from '../../features/media/index.ts';
import type { RoomSession, RoomSnapshot } from '../../features/media/room.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { CameraNotice } from './camera-notice.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { PeoplePanel } from './people-panel.tsx';
import { RoomBar } from './room-bar.tsx';
import { RoomMessage } from './room-message.tsx';
import { StoppedRoom } from './stopped-room.tsx';
import { TileGrid } from './tile-grid.tsx';
import { type RoomMoves, useRoomMoves } from './use-room-moves.ts';
import { useRoomSession, useRoomSnapshot } from './use-room-session.ts';

interface StudyRoomProps {
  readonly roomId: RoomId;
  readonly userId: UserId;
  readonly nickname: string;
}

/** A stay in a room, from taking the seat to leaving it. */
export function StudyRoom({ roomId, userId, nickname }: StudyRoomProps) {
  const { t } = useTranslation();
  const session = useRoomSession({ userId, roomId, name: nickname });
  const snapshot = useRoomSnapshot(session);
  const moves = useRoomMoves(userId, roomId, session);
  const state = snapshot?.state ?? { kind: 'entering' };

  if (session === null || snapshot === null || state.kind === 'entering') {
    return <RoomMessage title={t('room.entering')} light="low" isBusy />;
  }
  switch (state.kind) {
    case 'cameraNeeded':
    case 'refused':
    case 'replaced':
    case 'removed':
      return <StoppedRoom state={state} session={session} moves={moves} />;
    case 'left':
      return <RoomMessage title={t('room.leaving')} isBusy />;
    default:
      return <OpenRoom roomId={roomId} session={session} snapshot={snapshot} moves={moves} />;
  }
}

interface OpenRoomProps {
  readonly roomId: RoomId;
  readonly session: RoomSession;
  readonly snapshot: RoomSnapshot;
  readonly moves: RoomMoves;
}

function OpenRoom({ roomId, session, snapshot, moves }: OpenRoomProps) {
  const [isListOpen, setIsListOpen] = useState(false);
  useWakeLock(true);
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-[calc(100dvh-4rem)] lg:flex-none">
      <RoomBar
        roomId={roomId}
        peopleCount={snapshot.tiles.length}
        isListOpen={isListOpen}
        onToggleList={() => setIsListOpen(!isListOpen)}
        isLeaving={moves.isMoving}
        onLeave={moves.leave}
      />
      <ConnectionNotice snapshot={snapshot} onPlay={() => session.startPlayback()} />
      <CameraNotice onRetry={() => session.retryCamera()} />
      <div className="flex min-h-0 flex-1">
        <TileGrid
          isConnected={snapshot.state.kind === 'connected'}
          tiles={snapshot.tiles}
          onHide={(who, is) => session.setHidden(who, is)}
        />
        {isListOpen && <PeoplePanel tiles={snapshot.tiles} onClose={() => setIsListOpen(false)} />}
      </div>
    </div>
  );
}
