import * as z from 'zod/mini';
import { FocusClock } from './focus/clock.ts';
import { VisibleGoal } from './goals/goals.ts';
import { RoomId, UserId } from './ids.ts';
import { PomodoroSchedule } from './pomodoro/pomodoro.ts';
import { ServerTimeMs } from './server-time.ts';
import { WornTitle } from './titles/titles.ts';

/** One member of a room, as the others see them. */
export const Member = z.object({
  userId: UserId,
  nickname: z.string(),
  profileImage: z.string(),
  /** The representative title, or null; its name in Korean, as all receive the same message. */
  title: z.nullable(WornTitle),
  /** `lost`: seated, but disconnected. */
  connection: z.enum(['here', 'lost']),
  /** Focus status and the time on the tile. */
  clock: FocusClock,
  /** Today's goal, if it is visible. */
  goal: z.optional(VisibleGoal),
  /** The name of the subject that they study, if they show it. */
  subject: z.optional(z.string()),
});
export type Member = z.infer<typeof Member>;

/** A hosted room's data in presence, visible to everybody seated there. */
export const RoomAbout = z.object({
  name: z.string(),
  goal: z.string(),
  hostId: z.nullable(UserId),
  /** On the list of rooms; a room that is not is entered by invitation only. */
  isPublic: z.boolean(),
  needsApproval: z.boolean(),
  needsCamera: z.boolean(),
  /** Set for the room of a study group: its link, its guests and its end are those of the group. */
  isGroup: z.optional(z.boolean()),
});
export type RoomAbout = z.infer<typeof RoomAbout>;

export const PresenceChange = z.discriminatedUnion('type', [
  z.object({ type: z.literal('joined'), member: Member }),
  z.object({ type: z.literal('left'), userId: UserId }),
  z.object({ type: z.literal('connectionLost'), userId: UserId }),
  z.object({ type: z.literal('cameBack'), userId: UserId }),
  /** Nickname, picture, title or goal changed. */
  z.object({ type: z.literal('updated'), member: Member }),
  /** The member's clock or subject changed, and with it the progress of today's goal; both if they are visible. */
  z.object({
    type: z.literal('clock'),
    userId: UserId,
    clock: FocusClock,
    goal: z.optional(VisibleGoal),
    subject: z.optional(z.string()),
  }),
  /** Somebody started, changed or stopped the room's schedule. */
  z.object({
    type: z.literal('pomodoro'),
    /** Absent if a block hides them from the receiver. */
    userId: z.optional(UserId),
    schedule: z.nullable(PomodoroSchedule),
    /** When the schedule before ended, for the timers that follow it. */
    atMs: z.optional(ServerTimeMs),
  }),
  /** The learner is now the host of the room. */
  z.object({ type: z.literal('host'), userId: UserId }),
  /** Stands in for a change of a member hidden from the receiver by a block. */
  z.object({ type: z.literal('withheld') }),
]);
export type PresenceChange = z.infer<typeof PresenceChange>;

/** Messages of `/topic/presence`: a snapshot first, then every change with the next number. */
export const PresenceMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('snapshot'),
    roomId: RoomId,
    number: z.int(),
    members: z.array(Member),
    /** The schedule of the room, while it has one. */
    pomodoro: z.optional(PomodoroSchedule),
    /** Set for a room that has a host. */
    about: z.optional(RoomAbout),
    /** When the message was sent, by the server's clock, like the members' clocks. */
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
      return members.map((member) => withEndedSchedule(member, change.atMs));
    case 'host':
    case 'withheld':
      return members;
  }
}

function withClock(
  { goal: _goal, subject: _subject, ...member }: Member,
  { clock, goal, subject }: Pick<Member, 'clock' | 'goal' | 'subject'>,
): Member {
  return { ...member, clock, ...(goal && { goal }), ...(subject && { subject }) };
}

function withEndedSchedule(member: Member, endedAtMs: number | undefined): Member {
  const { schedule } = member.clock;
  if (schedule === undefined || schedule.endedAtMs !== undefined || endedAtMs === undefined) {
    return member;
  }
  return { ...member, clock: { ...member.clock, schedule: { ...schedule, endedAtMs } } };
}

function withConnection(
  members: readonly Member[],
  userId: UserId,
  connection: Member['connection'],
): readonly Member[] {
  return members.map((member) => (member.userId === userId ? { ...member, connection } : member));
}
