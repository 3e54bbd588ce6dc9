import type { RoomId, UserId } from '@mogakgong/contract';
import { useEffect } from 'react';
import { loadBlocks, useBlockedIds } from '../../features/blocks/index.ts';
import { ChatPanel } from '../../features/chat/chat-panel.tsx';
import { useChatRoom } from '../../features/chat/index.ts';
import { useRealtime, useRealtimeSnapshot } from '../../features/realtime/index.ts';
import { renderNameFor } from '../study-room/sender-name.tsx';

const ignoreNotices = () => undefined;

/** The panel on the real server, for a learner who has a seat in the room. */
export function RealChat(props: { readonly roomId: RoomId; readonly userId: UserId }) {
  const { roomId, userId } = props;
  const transport = useRealtime(ignoreNotices);
  const { state, isDegraded, refusal } = useRealtimeSnapshot(transport);
  const chat = useChatRoom({ roomId, userId, transport });
  const blockedIds = useBlockedIds(userId);
  useEffect(() => void loadBlocks(userId), [userId]);
  if (chat === null) return null;
  const connection = { state, isDegraded, refusal, isMock: false };
  const renderName = renderNameFor(userId);
  return <ChatPanel view={{ chat, roomId, selfId: userId, connection, blockedIds, renderName }} />;
}
