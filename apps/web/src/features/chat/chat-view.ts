import type { UserId } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import type { ChatRoom } from './chat-room.ts';

/** The sender of a message, as far as needed to render the name. */
export interface Sender {
  readonly userId: UserId;
  readonly nickname: string;
}

/** Current names and pictures by user id. */
export interface PresentSenders {
  readonly names: ReadonlyMap<UserId, string>;
  readonly pictures: ReadonlyMap<UserId, string>;
}

/** The data of every part of the panel; assembled by the page. */
export interface ChatView {
  readonly chat: ChatRoom;
  readonly blockedIds: ReadonlySet<UserId>;
  /** The present learners; a message of others has its own name and picture. */
  readonly present?: PresentSenders;
  /** Renders another learner's name, or `text` in its place, with the menu of actions. */
  readonly renderName: (sender: Sender, text?: string) => ReactNode;
  /** Why sending is blocked now; messages wait. */
  readonly muteNote?: ReactNode;
  /** Without any server. */
  readonly isMock?: boolean;
}
