import type { ReactNode } from 'react';
import { NameMenu } from '../../features/blocks/index.ts';
import type { Sender } from '../../features/chat/index.ts';

/** How the chat draws others' names for one learner: with the menu to block them. */
export function renderNameFor(selfId: number): (sender: Sender, text?: string) => ReactNode {
  return ({ userId, nickname }, text) => (
    <NameMenu selfId={selfId} userId={userId} name={nickname} text={text} />
  );
}
