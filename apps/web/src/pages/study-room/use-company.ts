import type { Member, Notice, PomodoroSchedule, RoomId, UserId } from '@mogakgong/contract';
import { useCallback, useEffect, useMemo } from 'react';
import { loadBlocks, setBlockedIds, useBlockedIds } from '../../features/blocks/index.ts';
import { type ChatView, useChatRoom } from '../../features/chat/index.ts';
import { type OwnTimerView, useOwnTimer } from '../../features/focus/index.ts';
import { type OwnGoal, useGoal } from '../../features/goals/index.ts';
import type { RoomSession } from '../../features/media/room.ts';
import { usePresence } from '../../features/presence/index.ts';
import { useRealtime, useRealtimeSnapshot } from '../../features/realtime/index.ts';
import { celebrateTitle } from '../../features/titles/celebrations.ts';
import { loadToday, takePushedToday, useStudyDay } from '../../shared/today/index.ts';
import { renderNameFor } from './sender-name.tsx';

interface CompanyParts {
  readonly roomId: RoomId;
  readonly userId: UserId;
  readonly session: RoomSession;
}

/** The others in the room: who they are, what they say, and whom of them one does not want to see. */
export interface Company {
  /** Null until it is known for the first time. */
  readonly members: readonly Member[] | null;
  /** The timer of who looks. */
  readonly own: OwnTimerView;
  /** Today's goal of who looks. */
  readonly goal: OwnGoal;
  /** The schedule of the room, or null. */
  readonly pomodoro: PomodoroSchedule | null;
  /** Null in the moment before there is a chat. */
  readonly chat: ChatView | null;
}

/** Everything of a room that comes over the realtime connection, put together for the page. */
export function useCompany({ roomId, userId, session }: CompanyParts): Company {
  const goal = useGoal(userId, useStudyDay(userId));
  const { take: takeGoal } = goal;
  const onNotice = useCallback(
    (notice: Notice) => {
      if (notice.kind === 'blocks') setBlockedIds(userId, notice.blockedIds);
      if (notice.kind === 'today') takePushedToday(userId, notice);
      if (notice.kind === 'goal') takeGoal(notice);
      if (notice.kind === 'titleWon') celebrateTitle(notice.title);
    },
    [userId, takeGoal],
  );
  const realtime = useRealtime(onNotice);
  const { state, isDegraded, refusal } = useRealtimeSnapshot(realtime);
  const { members, pomodoro, isLive } = usePresence(roomId, realtime);
  const self = members?.find((member) => member.userId === userId);
  const own = useOwnTimer(userId, roomId, self?.clock ?? null);
  const blockedIds = useBlockedIds(userId);
  const chat = useChatRoom({ roomId, userId, transport: realtime });

  // A notice may have been missed while there was no connection.
  useEffect(() => {
    if (state !== 'connected') return;
    void loadBlocks(userId);
    void loadToday(userId);
  }, [state, userId]);
  useEffect(() => {
    const seated = members?.map(({ userId: id, nickname, connection }) => ({
      identity: String(id),
      name: nickname,
      isConnected: connection === 'here',
    }));
    session.setRoster(seated === undefined ? null : { seated, isLive });
  }, [session, members, isLive]);
  useEffect(() => session.setBlocked(new Set([...blockedIds].map(String))), [session, blockedIds]);

  const renderName = useMemo(() => renderNameFor(userId), [userId]);
  const view = useMemo<ChatView | null>(
    () =>
      chat && {
        chat,
        roomId,
        selfId: userId,
        connection: { state, isDegraded, refusal, isMock: false },
        blockedIds,
        renderName,
      },
    [chat, roomId, userId, state, isDegraded, refusal, blockedIds, renderName],
  );
  return { members, own, goal, pomodoro, chat: view };
}
