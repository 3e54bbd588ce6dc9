import type { RoomId, UserId } from '@mogakgong/contract';
import { type ReactNode, useEffect, useState } from 'react';
import type { RealtimeState } from '../../shared/realtime/transport.ts';
import { ChatRoom, type ChatRoomOptions } from './chat-room.ts';

/** Whoever wrote a message, as a name is drawn. */
export interface Sender {
  readonly userId: number;
  readonly nickname: string;
}

/** How the chat is connected; `isMock`: not to a server at all. */
export interface ChatConnection {
  readonly state: RealtimeState;
  readonly isDegraded: boolean;
  /** Why the server does not let this tab connect, in its own words, or null. */
  readonly refusal: string | null;
  readonly isMock: boolean;
}

/** What every part of the panel draws from; the page puts it together. */
export interface ChatView {
  readonly chat: ChatRoom;
  readonly roomId: number;
  readonly selfId: UserId;
  readonly connection: ChatConnection;
  readonly blockedIds: ReadonlySet<number>;
  /** Draws another learner's name, or `text` in its place, with what one can do about them. */
  readonly renderName: (sender: Sender, text?: string) => ReactNode;
}

interface ChatRoomParts {
  readonly roomId: RoomId;
  readonly userId: UserId;
  /** Null in the moment before there is one. */
  readonly transport: ChatRoomOptions['transport'] | null;
  readonly fetchOlder?: ChatRoomOptions['fetchOlder'];
  readonly store?: ChatRoomOptions['store'];
}

/** The chat of one room for as long as the caller is shown; null before it is opened. */
export function useChatRoom(parts: ChatRoomParts): ChatRoom | null {
  const { roomId, userId, transport, fetchOlder, store } = parts;
  const [chat, setChat] = useState<ChatRoom | null>(null);
  useEffect(() => {
    if (transport === null) return;
    const more = { ...(fetchOlder && { fetchOlder }), ...(store && { store }) };
    const opened = new ChatRoom({ roomId, userId, transport, ...more });
    setChat(opened);
    return () => {
      opened.close();
      setChat(null);
    };
  }, [roomId, userId, transport, fetchOlder, store]);
  return chat;
}
