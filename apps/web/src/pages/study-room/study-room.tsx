import './tile.css';
import type { RoomId, UserId } from '@mogakgong/contract';
import { lazy, Suspense } from 'react';
import { ChatDock, UnsentHere } from '../../features/chat/index.ts';
import { FocusControls, FocusSign } from '../../features/focus/index.ts';
import { useWakeLock } from '../../features/media/index.ts';
import type { RoomSession, RoomSnapshot } from '../../features/media/room.ts';
import { PhaseSignal, PomodoroChip } from '../../features/pomodoro/index.ts';
import { PresenceAnnouncer } from '../../features/presence/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { CameraNotice } from './camera-notice.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { PeoplePanel } from './people-panel.tsx';
import { RoomBar } from './room-bar.tsx';
import { RoomMessage } from './room-message.tsx';
import { StoppedRoom } from './stopped-room.tsx';
import { TileGrid } from './tile-grid.tsx';
import { type Company, useCompany } from './use-company.ts';
import { type Panels, usePanels } from './use-panels.ts';
import { type RoomMoves, useRoomMoves } from './use-room-moves.ts';
import { useRoomSession, useRoomSnapshot } from './use-room-session.ts';
import { useUnsent } from './use-unsent.ts';

/** Downloaded when it is first opened. */
const DeskPanel = lazy(async () => ({ default: (await import('./desk-panel.tsx')).DeskPanel }));

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
  const panels = usePanels();
  const company = useCompany({ roomId, userId, session });
  const { own, goal, pomodoro, members } = company;
  useWakeLock(true);
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-[calc(100dvh-4rem)] lg:flex-none">
      <RoomBar
        roomId={roomId}
        peopleCount={members?.length ?? snapshot.tiles.length}
        open={panels.open}
        onToggle={panels.toggle}
        toggleRefs={panels.toggleRefs}
        isLeaving={moves.isMoving}
        onLeave={moves.leave}
        timer={
          <Suspense>
            <PomodoroChip userId={userId} roomId={roomId} schedule={pomodoro} />
            <FocusControls own={own} />
            <PhaseSignal userId={userId} roomId={roomId} schedule={pomodoro} />
          </Suspense>
        }
      />
      {own.clock && <FocusSign clock={own.clock} />}
      <ConnectionNotice snapshot={snapshot} onPlay={() => session.startPlayback()} />
      <CameraNotice onRetry={() => session.retryCamera()} />
      <div className="flex min-h-0 flex-1">
        <TileGrid
          selfId={userId}
          isConnected={snapshot.state.kind === 'connected'}
          tiles={snapshot.tiles}
          members={members}
          own={own}
          goal={goal.goal}
          onHide={(who, is) => session.setHidden(who, is)}
        />
        <OpenPanel {...{ roomId, userId, snapshot, company, panels }} />
        {company.chat && <ChatDock view={company.chat} isBesidePanel={panels.open !== null} />}
      </div>
      <PresenceAnnouncer members={members} selfId={userId} />
    </div>
  );
}

type OpenPanelProps = Pick<OpenRoomProps, 'roomId' | 'userId' | 'snapshot'> & {
  readonly company: Company;
  readonly panels: Panels;
};

function OpenPanel({ roomId, userId, snapshot, company, panels }: OpenPanelProps) {
  switch (panels.open) {
    case 'people':
      return (
        <PeoplePanel
          selfId={userId}
          tiles={snapshot.tiles}
          members={company.members}
          ownClock={company.own.clock}
          onClose={panels.close}
        />
      );
    case 'desk':
      return (
        <Suspense>
          <DeskPanel
            userId={userId}
            roomId={roomId}
            goal={company.goal}
            pomodoro={company.pomodoro}
            onClose={panels.close}
          />
        </Suspense>
      );
    case null:
      return null;
  }
}
