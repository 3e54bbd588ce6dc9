import { getChatHistory, type RoomId, type UserId } from '@mogakgong/contract';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../../shared/api/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import type { RealtimeTransport } from '../../shared/realtime/transport.ts';
import { ChatRoom, type ChatRoomOptions, type ChatSnapshot } from './chat-room.ts';
import { createUnsentStore, type UnsentStore } from './unsent-store.ts';

interface ChatRoomParts {
  readonly roomId: RoomId;
  readonly userId: UserId;
  /** Null in the moment before there is one. */
  readonly transport: RealtimeTransport | null;
  /** Where older messages come from; the API unless given. */
  readonly fetchOlder?: ChatRoomOptions['fetchOlder'];
  /** Where unsent texts are kept; the tab's storage unless given. */
  readonly store?: UnsentStore;
}

function fetchOlderByApi(before: string) {
  return call(getChatHistory, { query: { before } }, { fallback: translate('chat.olderFailed') });
}

/** The chat of one room for as long as the caller is shown; null in the moment before it begins. */
export function useChatRoom({
  roomId,
  userId,
  transport,
  fetchOlder = fetchOlderByApi,
  store,
}: ChatRoomParts): ChatRoom | null {
  const [chat, setChat] = useState<ChatRoom | null>(null);
  useEffect(() => {
    if (transport === null) return;
    const opened = new ChatRoom({
      roomId,
      userId,
      transport,
      store: store ?? createUnsentStore(userId),
      fetchOlder,
      texts: { stale: translate('chat.stale'), failed: translate('chat.failed') },
    });
    setChat(opened);
    return () => {
      opened.close();
      setChat(null);
    };
  }, [roomId, userId, transport, fetchOlder, store]);
  return chat;
}

/** What the chat holds now. */
export function useChatSnapshot(chat: ChatRoom): ChatSnapshot {
  return useSyncExternalStore(chat.subscribe, chat.getSnapshot);
}
