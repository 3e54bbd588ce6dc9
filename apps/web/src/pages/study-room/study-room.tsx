import type { RoomId, UserId } from '@mogakgong/contract';
import { Suspense, useRef, useState } from 'react';
import { ChatDock, UnsentHere } from '../../features/chat/index.ts';
import { FocusControls, FocusSign } from '../../features/focus/index.ts';
import { useWakeLock } from '../../features/media/index.ts';
import type { RoomSession, RoomSnapshot } from '../../features/media/room.ts';
import { PresenceAnnouncer } from '../../features/presence/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { CameraNotice } from './camera-notice.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { PeoplePanel } from './people-panel.tsx';
import { RoomBar } from './room-bar.tsx';
import { RoomMessage } from './room-message.tsx';
import { StoppedRoom } from './stopped-room.tsx';
import { TileGrid } from './tile-grid.tsx';
import { useCompany } from './use-company.ts';
import { type RoomMoves, useRoomMoves } from './use-room-moves.ts';
import { useRoomSession, useRoomSnapshot } from './use-room-session.ts';
import { useUnsent } from './use-unsent.ts';

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
  useUnsent(userId, roomId, state.kind);

  if (session === null || snapshot === null || state.kind === 'entering') {
    return <RoomMessage title={t('room.entering')} light="low" isBusy />;
  }
  switch (state.kind) {
    case 'cameraNeeded':
    case 'refused':
    case 'replaced':
    case 'removed':
      return (
        <div className="m-auto w-full max-w-lg">
          <StoppedRoom state={state} session={session} moves={moves} />
          <div className="px-5 pb-10">
            <UnsentHere userId={userId} />
          </div>
        </div>
      );
    case 'left':
      return <RoomMessage title={t('room.leaving')} isBusy />;
    default:
      return (
        <OpenRoom
          roomId={roomId}
          userId={userId}
          session={session}
          snapshot={snapshot}
          moves={moves}
        />
      );
  }
}

interface OpenRoomProps {
  readonly roomId: RoomId;
  readonly userId: UserId;
  readonly session: RoomSession;
  readonly snapshot: RoomSnapshot;
  readonly moves: RoomMoves;
}

function OpenRoom({ roomId, userId, session, snapshot, moves }: OpenRoomProps) {
  const [isListOpen, setIsListOpen] = useState(false);
  const listToggleRef = useRef<HTMLButtonElement>(null);
  const company = useCompany({ roomId, userId, session });
  useWakeLock(true);
  const closeList = () => {
    setIsListOpen(false);
    listToggleRef.current?.focus();
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-[calc(100dvh-4rem)] lg:flex-none">
      <RoomBar
        roomId={roomId}
        peopleCount={company.members?.length ?? snapshot.tiles.length}
        isListOpen={isListOpen}
        onToggleList={() => (isListOpen ? closeList() : setIsListOpen(true))}
        listToggleRef={listToggleRef}
        isLeaving={moves.isMoving}
        onLeave={moves.leave}
        timer={
          <Suspense>
            <FocusControls own={company.own} />
          </Suspense>
        }
      />
      {company.own.clock && <FocusSign clock={company.own.clock} />}
      <ConnectionNotice snapshot={snapshot} onPlay={() => session.startPlayback()} />
      <CameraNotice onRetry={() => session.retryCamera()} />
      <div className="flex min-h-0 flex-1">
        <TileGrid
          selfId={userId}
          isConnected={snapshot.state.kind === 'connected'}
          tiles={snapshot.tiles}
          members={company.members}
          own={company.own}
          onHide={(who, is) => session.setHidden(who, is)}
        />
        {isListOpen && (
          <PeoplePanel
            selfId={userId}
            tiles={snapshot.tiles}
            members={company.members}
            ownClock={company.own.clock}
            onClose={closeList}
          />
        )}
        {company.chat && <ChatDock view={company.chat} />}
      </div>
      <PresenceAnnouncer members={company.members} selfId={userId} />
    </div>
  );
}
