import * as z from 'zod/mini';
import { FocusClock, ServerTimeMs } from './focus/clock.ts';
import { VisibleGoal } from './goals/goals.ts';
import { RoomId, UserId } from './ids.ts';
import { PomodoroSchedule } from './pomodoro/pomodoro.ts';
import { WornTitle } from './titles/titles.ts';

/** One member of a room, as the others see them. */
export const Member = z.object({
  userId: UserId,
  nickname: z.string(),
  profileImage: z.string(),
  /** The title they wear, or null; its name in Korean, as everybody receives the same. */
  title: z.nullable(WornTitle),
  /** `lost`: seated, but their connection is gone. */
  connection: z.enum(['here', 'lost']),
  /** Their focus status and what their tile counts. */
  clock: FocusClock,
  /** Today's goal, if they show it. */
  goal: z.optional(VisibleGoal),
});
export type Member = z.infer<typeof Member>;

/** What everybody who sits in a hosted room sees of it, in presence. */
export const RoomAbout = z.object({
  name: z.string(),
  goal: z.string(),
  hostId: z.nullable(UserId),
  /** On the list of rooms; to others only an invitation leads. */
  isPublic: z.boolean(),
  needsApproval: z.boolean(),
  needsCamera: z.boolean(),
});
export type RoomAbout = z.infer<typeof RoomAbout>;

export const PresenceChange = z.discriminatedUnion('type', [
  z.object({ type: z.literal('joined'), member: Member }),
  z.object({ type: z.literal('left'), userId: UserId }),
  z.object({ type: z.literal('connectionLost'), userId: UserId }),
  z.object({ type: z.literal('cameBack'), userId: UserId }),
  /** Nickname, picture, title or goal changed. */
  z.object({ type: z.literal('updated'), member: Member }),
  /** Their clock changed, and with it the progress of today's goal, if they show one. */
  z.object({
    type: z.literal('clock'),
    userId: UserId,
    clock: FocusClock,
    goal: z.optional(VisibleGoal),
  }),
  /** Somebody started, changed or stopped the schedule of the room. */
  z.object({
    type: z.literal('pomodoro'),
    /** Absent where a block keeps them from the receiver. */
    userId: z.optional(UserId),
    schedule: z.nullable(PomodoroSchedule),
  }),
  /** They are the host of the room now. */
  z.object({ type: z.literal('host'), userId: UserId }),
  /** In the place of a change of somebody whom a block keeps from the receiver. */
  z.object({ type: z.literal('withheld') }),
]);
export type PresenceChange = z.infer<typeof PresenceChange>;

/** What `/topic/presence` delivers: a snapshot first, then every change with the next number. */
export const PresenceMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('snapshot'),
    roomId: RoomId,
    number: z.int(),
    members: z.array(Member),
    /** The schedule of the room, while it has one. */
    pomodoro: z.optional(PomodoroSchedule),
    /** Of a room that has a host. */
    about: z.optional(RoomAbout),
    /** When this was sent, by the server's clock, like the members' clocks. */
    serverNowMs: ServerTimeMs,
  }),
  z.object({
    kind: z.literal('change'),
    roomId: RoomId,
    number: z.int(),
    change: PresenceChange,
  }),
]);
export type PresenceMessage = z.infer<typeof PresenceMessage>;

/** A room's members after a change; snapshot and changes together equal a fresh snapshot. */
export function applyPresenceChange(
  members: readonly Member[],
  change: PresenceChange,
): readonly Member[] {
  switch (change.type) {
    case 'joined':
      return [...members.filter((member) => member.userId !== change.member.userId), change.member];
    case 'left':
      return members.filter((member) => member.userId !== change.userId);
    case 'connectionLost':
      return withConnection(members, change.userId, 'lost');
    case 'cameBack':
      return withConnection(members, change.userId, 'here');
    case 'updated':
      return members.map((member) =>
        member.userId === change.member.userId ? change.member : member,
      );
    case 'clock':
      return members.map((member) =>
        member.userId === change.userId ? withClock(member, change) : member,
      );
    case 'pomodoro':
    case 'host':
    case 'withheld':
      return members;
  }
}

function withClock(
  { goal: _before, ...member }: Member,
  { clock, goal }: Pick<Member, 'clock' | 'goal'>,
): Member {
  return { ...member, clock, ...(goal && { goal }) };
}

function withConnection(
  members: readonly Member[],
  userId: UserId,
  connection: Member['connection'],
): readonly Member[] {
  return members.map((member) => (member.userId === userId ? { ...member, connection } : member));
}
