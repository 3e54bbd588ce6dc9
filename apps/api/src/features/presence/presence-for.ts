import {
  type Member,
  type PresenceChange,
  type PresenceMessage,
  stillClock,
  type UserId,
} from '@mogakgong/contract';
import type { LearnerBlocks } from '../blocks/index.ts';

/** The learners that a message shows. */
export function learnersShownBy(message: PresenceMessage): readonly UserId[] {
  if (message.kind === 'snapshot') return message.members.map(({ userId }) => userId);
  return shownBy(message.change);
}

/**
 * A message as a learner may see it. Of a learner whom they block they see only the seat, and of one who
 * blocks them nothing; the numbers stay without gaps.
 */
export function presenceFor(own: LearnerBlocks, message: PresenceMessage): PresenceMessage {
  if (learnersShownBy(message).every((userId) => !own.apart.has(userId))) return message;
  if (message.kind === 'change') return { ...message, change: changeFor(own, message.change) };
  const members = message.members.flatMap((member) => memberFor(own, member) ?? []);
  return { ...message, members };
}

function shownBy(change: PresenceChange): readonly UserId[] {
  // The previous host must learn of the change, even if the new host is hidden.
  if (change.type === 'withheld' || change.type === 'host') return [];
  if (change.type === 'joined' || change.type === 'updated') return [change.member.userId];
  return change.userId === undefined ? [] : [change.userId];
}

function changeFor(own: LearnerBlocks, change: PresenceChange): PresenceChange {
  if (change.type === 'pomodoro') {
    const { userId: _, ...rest } = change;
    return rest;
  }
  if (change.type === 'joined') {
    const member = memberFor(own, change.member);
    if (member) return { type: change.type, member };
  }
  return change.type === 'left' && own.blocks.has(change.userId) ? change : { type: 'withheld' };
}

/** Null: the viewer must not know that they are there. */
function memberFor({ blocks, apart }: LearnerBlocks, member: Member): Member | null {
  const { userId } = member;
  if (!apart.has(userId)) return member;
  if (!blocks.has(userId)) return null;
  const clock = stillClock('idle', 0);
  return { userId, nickname: '', profileImage: '', title: null, connection: 'here', clock };
}
