import type { UserId } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import type { ChatRoom } from './chat-room.ts';

/** The sender of a message, as far as a name is drawn. */
export interface Sender {
  readonly userId: UserId;
  readonly nickname: string;
}

/** Present names and pictures by user id. */
export interface PresentSenders {
  readonly names: ReadonlyMap<UserId, string>;
  readonly pictures: ReadonlyMap<UserId, string>;
}

/** What every part of the panel draws from; the page puts it together. */
export interface ChatView {
  readonly chat: ChatRoom;
  readonly blockedIds: ReadonlySet<UserId>;
  /** Those who are here; of others a message has its own name and picture. */
  readonly present?: PresentSenders;
  /** Draws another learner's name, or `text` in its place, with the menu of what one can do about them. */
  readonly renderName: (sender: Sender, text?: string) => ReactNode;
  /** Why the learner cannot send now; what they write waits. */
  readonly muteNote?: ReactNode;
  /** Not connected to a server at all. */
  readonly isMock?: boolean;
}
