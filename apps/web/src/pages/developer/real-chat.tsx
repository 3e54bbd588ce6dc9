import type { RoomId, UserId } from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { loadBlocks, useBlockedIds } from '../../features/blocks/index.ts';
import { ChatPanel } from '../../features/chat/chat-panel.tsx';
import { ChatRoom } from '../../features/chat/index.ts';
import { RealtimeConnection } from '../../shared/realtime/realtime-connection.ts';
import { renderNameFor } from '../study-room/sender-name.tsx';

/** The panel on the real server, for a learner who has a seat in the room. */
export function RealChat(props: { readonly roomId: RoomId; readonly userId: UserId }) {
  const { roomId, userId } = props;
  const [chat, setChat] = useState<ChatRoom | null>(null);
  const blockedIds = useBlockedIds(userId);
  useEffect(() => {
    void loadBlocks(userId);
    const realtime = new RealtimeConnection({ onNotice: () => undefined });
    realtime.start();
    const opened = new ChatRoom({ roomId, userId, transport: realtime });
    setChat(opened);
    return () => {
      opened.close();
      realtime.close();
    };
  }, [roomId, userId]);
  if (chat === null) return null;
  return <ChatPanel view={{ chat, blockedIds, renderName: renderNameFor(userId) }} />;
}
