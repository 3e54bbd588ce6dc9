import type { ComponentProps, ReactNode } from 'react';
import { NameMenu } from '../../features/blocks/index.ts';
import type { Sender } from '../../features/chat/index.ts';
import { openReport } from '../../features/reports/report-target.ts';

/** Another learner's name in the room, with the menu to report and to block them. */
export function LearnerName(props: Omit<ComponentProps<typeof NameMenu>, 'onReport'>) {
  const { userId, name } = props;
  return <NameMenu {...props} onReport={() => openReport({ userId, name })} />;
}

/** How the chat draws others' names for one learner. */
export function renderNameFor(selfId: number): (sender: Sender, text?: string) => ReactNode {
  return ({ userId, nickname }, text) => (
    <LearnerName selfId={selfId} userId={userId} name={nickname} text={text} />
  );
}
