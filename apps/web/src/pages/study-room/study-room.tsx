import '../../room/room.css';
import type { TodayGoal, UserId } from '@mogakgong/contract';
import { Suspense, useDeferredValue, useEffect, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import { ChatButton, ChatDock } from '../../features/chat/chat-dock.tsx';
import type { ChatView } from '../../features/chat/chat-view.ts';
import { FocusControls } from '../../features/focus/focus-controls.tsx';
import { useGoal } from '../../features/goals/use-goal.ts';
import { closeReport, useReportTarget } from '../../features/reports/report-target.ts';
import { useSanctionInForce } from '../../features/sanctions/own-sanctions.ts';
import { SanctionNote } from '../../features/sanctions/sanction-note.tsx';
import { AboutButton } from '../../room/bar/about-button.tsx';
import { BoardButton } from '../../room/bar/board-button.tsx';
import { RoomBar } from '../../room/bar/room-bar.tsx';
import { Entering } from '../../room/entering/room-message.tsx';
import { ComfortKeys } from '../../room/keys/comfort-keys.tsx';
import { RoomKeys } from '../../room/keys/room-keys.tsx';
import { closeRoom, leaveRoomOrShowError } from '../../room/live/room-actions.ts';
import type { RoomLive } from '../../room/live/room-live.ts';
import { PresenceAnnouncer } from '../../room/notices/presence-announcer.tsx';
import { RoomNotices, RoomOutage } from '../../room/notices/room-notices.tsx';
import { type Panels, usePanels } from '../../room/panels/panels.tsx';
import { RoomFrame } from '../../room/room-frame.tsx';
import { AloneHint } from '../../room/tiles/alone-hint.tsx';
import { renderNameFor, useMemberField } from '../../room/tiles/learner-name.tsx';
import { TileGrid } from '../../room/tiles/tile-grid.tsx';
import { paths } from '../../shared/lib/paths.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';

const OpenPanel = onDemand(
  async () => (await import('../../room/panels/open-panel.tsx')).OpenPanel,
);
const StoppedRoom = onDemand(
  async () => (await import('../../room/entering/stopped-room.tsx')).StoppedRoom,
);
const BoardPanel = onDemand(
  async () => (await import('../../room/panels/board-panel.tsx')).BoardPanel,
);

const PomodoroChip = onDemand(
  async () => (await import('../../features/pomodoro/index.ts')).PomodoroChip,
  { isQuiet: true },
);
const PomodoroMark = onDemand(
  async () => (await import('../../features/pomodoro/index.ts')).PomodoroMark,
  { isQuiet: true },
);
const OwnGoalRing = onDemand(async () => (await import('../../room/late-parts.ts')).OwnGoalRing, {
  isQuiet: true,
});
const SubjectChip = onDemand(async () => (await import('../../room/late-parts.ts')).SubjectChip, {
  isQuiet: true,
});
const ExamSign = onDemand(async () => (await import('../../room/late-parts.ts')).ExamSign, {
  isQuiet: true,
});

/** Downloaded with the first report. */
const Reporting = onDemand(async () => (await import('../../room/reporting.tsx')).Reporting);

interface StudyRoomProps {
  readonly live: RoomLive;
}

/** The learner's room in its current state. */
export function StudyRoom({ live }: StudyRoomProps) {
  const state = useStore(live.store, ({ media }) => media.state);
  // A room without the learner's seat is closed together with its page.
  useEffect(() => () => void (live.isSeated || closeRoom()), [live]);
  // The whole room is a lot to draw: it is rendered in slices, so that presses, frames and the connection are
  // handled in between.
  const isEntering = useDeferredValue(state.kind === 'entering');
  switch (state.kind) {
    case 'entering':
      return <Entering />;
    case 'refused':
    case 'replaced':
    case 'removed':
      return <StoppedRoom state={state} live={live} />;
    default:
      return isEntering ? <Entering /> : <OpenRoom live={live} />;
  }
}

function OpenRoom({ live }: StudyRoomProps) {
  const { userId, roomId } = live;
  const [, navigate] = useLocation();
  const panels = usePanels(roomId);
  const pomodoro = useStore(live.store, (room) => room.pomodoro);
  const about = useStore(live.store, (room) => room.about);
  const goal = useGoal(userId);
  const chat = useChatView(live);
  const cameraOff = useSanctionInForce(userId, 'cameraOff');
  const target = useReportTarget((report) => report.target);
  // An open report does not open again in the next room.
  useEffect(() => closeReport, []);
  return (
    <RoomFrame data-panel={panelSize(panels)}>
      <RoomBar
        live={live}
        isCameraKeptOff={cameraOff !== null}
        panels={panels}
        about={
          <Suspense>{about && <AboutButton {...{ userId, roomId, about, panels }} />}</Suspense>
        }
        onLeave={() => leaveRoomOrShowError(() => navigate(paths.main))}
        timer={
          <Suspense>
            <FocusControls
              ring={<BarRing userId={userId} goal={goal.value} />}
              subject={
                <Suspense>
                  <SubjectChip userId={userId} onManage={() => panels.toggle('desk')} />
                </Suspense>
              }
            />
          </Suspense>
        }
        exam={goal.value && <ExamSign goal={goal.value} />}
        pomodoro={
          <Suspense>
            {pomodoro && <PomodoroChip userId={userId} roomId={roomId} schedule={pomodoro} />}
          </Suspense>
        }
        deskMark={<Suspense>{pomodoro && <PomodoroMark schedule={pomodoro} />}</Suspense>}
        board={
          <Suspense>
            <BoardButton panels={panels} />
          </Suspense>
        }
        chat={chat && <ChatButton view={chat} dock={panels.chat} />}
      />
      <Suspense>
        <RoomNotices
          live={live}
          cameraNote={cameraOff && <SanctionNote userId={userId} sanction={cameraOff} />}
        />
      </Suspense>
      <div className="room-body">
        <Suspense>
          <RoomOutage live={live} />
        </Suspense>
        <TileGrid
          live={live}
          aloneHint={
            <Suspense>
              <AloneHint {...{ live, panels }} />
            </Suspense>
          }
        />
        {panels.open === 'board' && <BoardPanel live={live} panels={panels} />}
        {panels.open !== null && panels.open !== 'board' && (
          <OpenPanel live={live} panels={panels} goal={goal} />
        )}
        {chat && panels.chat.isOpen && <ChatDock view={chat} dock={panels.chat} />}
      </div>
      <RoomKeys live={live} panels={panels} />
      <Suspense>
        <PresenceAnnouncer live={live} />
      </Suspense>
      <Suspense>{target && <Reporting live={live} target={target} />}</Suspense>
      <Suspense>
        <ComfortKeys />
      </Suspense>
    </RoomFrame>
  );
}

/** The progress of today's goal, around the own dot. */
function BarRing({ userId, goal }: { readonly userId: UserId; readonly goal: TodayGoal | null }) {
  return (
    <Suspense>
      {goal?.targetMinutes && <OwnGoalRing userId={userId} goal={goal} size={44} />}
    </Suspense>
  );
}

/** The size of the open panel (room.css). */
function panelSize({ open, isWide }: Panels) {
  if (open === 'board') return isWide ? 'wide' : 'board';
  return open === null ? undefined : 'narrow';
}

/** The chat's data source; null while there is no connection. */
function useChatView(live: RoomLive): ChatView | null {
  const { userId } = live;
  const chat = useStore(live.store, (room) => room.chat);
  const mute = useSanctionInForce(userId, 'muteChat');
  const blockedIds = useStore(live.store, (room) => room.blocked);
  const names = useMemberField(live.store, 'nickname');
  const pictures = useMemberField(live.store, 'profileImage');
  return useMemo(
    () =>
      chat && {
        chat,
        blockedIds,
        present: { names, pictures },
        renderName: renderNameFor(userId),
        muteNote: mute && <SanctionNote userId={userId} sanction={mute} />,
      },
    [chat, userId, blockedIds, names, pictures, mute],
  );
}
