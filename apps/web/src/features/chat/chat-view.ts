import type { ReactNode } from 'react';
import type { RealtimeState } from '../../shared/realtime/transport.ts';
import type { ChatRoom } from './chat-room.ts';

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
  readonly selfId: number;
  readonly connection: ChatConnection;
  readonly blockedIds: ReadonlySet<number>;
  /** Draws another learner's name, or `text` in its place, with what one can do about them. */
  readonly renderName: (sender: Sender, text?: string) => ReactNode;
}
