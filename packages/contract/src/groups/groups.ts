import * as z from 'zod/mini';
import { isReadableLine, normalizeLine } from '../accounts.ts';
import { StudyCategory } from '../categories.ts';
import { chatContent } from '../chat.ts';
import { HOUR_MS } from '../durations.ts';
import { StudyDay } from '../focus/clock.ts';
import { FocusSettings } from '../focus/settings.ts';
import { GroupId, RoomId, UserId } from '../ids.ts';
import { ServerTimeMs } from '../server-time.ts';
import { AttendanceRule } from './attendance.ts';
import { NextGroupSession } from './sessions.ts';

/** Limits of study groups. */
export const GROUPS = {
  membersMax: 50,
  /** Groups of one learner, and those of them that the learner leads. */
  perLearnerMax: 10,
  ledMax: 5,
  nameMaxLength: 30,
  goalMaxLength: 60,
  noticeMaxLength: 500,
  /** Of the words by which groups are looked for. */
  searchMaxLength: 60,
  sessionsMax: 10,
  /** How long a request for entry waits, and after how many days a declined learner may ask again. */
  requestDays: 30,
  declinedDays: 7,
  /** Requests of a group that wait at once. */
  requestsMax: 50,
  /** How long the table of attendance is kept. */
  attendanceKeptDays: 400,
  /** How many days ahead members excuse themselves. */
  excuseDaysMax: 60,
  /** Their attendance is stored long before. */
  excusesKeptDays: 90,
  /** Days ahead for which members say that they come to a session, and days back whose sessions are shown. */
  sessionDays: 7,
} as const;

/** The largest goal of a group for a week, in minutes: 50 members all day. */
const WEEK_GOAL_MAX_MINUTES = GROUPS.membersMax * 7 * 24 * 60;

/** The choices of a leader, which can be changed later. */
const groupChoices = {
  name: z.string().check(z.maxLength(200)),
  /** The aim of the group's study; empty for none. */
  goal: z.string().check(z.maxLength(300)),
  category: StudyCategory,
  examDay: z.nullable(StudyDay),
  rule: AttendanceRule,
  /** Focus of all members together in a week; null for none. */
  weekGoalMinutes: z.nullable(z.int().check(z.gte(1), z.lte(WEEK_GOAL_MAX_MINUTES))),
  /** Found in the list of groups; otherwise by its link only. */
  isListed: z.boolean(),
  /** A leader answers each request for entry; otherwise whoever finds the group enters. */
  needsApproval: z.boolean(),
  /** Whether the members are shown in the order of their focus. */
  hasRanks: z.boolean(),
} as const;

/** The choices of a group, without those that stay as they were made. */
export const GroupChoices = z.object(groupChoices);
export type GroupChoices = z.infer<typeof GroupChoices>;

/** A new group. Its days begin at this time in this zone for every member; both stay. */
export const GroupPlan = z.object({
  ...groupChoices,
  timeZone: FocusSettings.shape.timeZone,
  dayStartMinutes: FocusSettings.shape.dayStartMinutes,
});
export type GroupPlan = z.infer<typeof GroupPlan>;

/** The secret of a group's link, or of a calendar's. */
export const GroupToken = z.string().check(z.minLength(20), z.maxLength(64));

/** A group as learners see it before joining. */
export const GroupCard = z.object({
  groupId: GroupId,
  ...groupChoices,
  timeZone: z.string(),
  dayStartMinutes: z.int(),
  members: z.int(),
  /** Members in focus now, in any room. */
  focusing: z.int(),
});
export type GroupCard = z.infer<typeof GroupCard>;

/**
 * The nickname of the member of today's latest nudge; null once the caller has entered a room since.
 */
const nudgedBy = z._default(z.nullable(z.string()), null);

/** A group in the caller's own list. */
export const OwnGroup = z.extend(GroupCard, {
  /** The group's room, which stays. */
  roomId: RoomId,
  isLeader: z.boolean(),
  /** Learners waiting for a leader's answer; 0 unless the caller leads the group. */
  waiting: z.int(),
  nudgedBy,
  /** Of the next `GROUPS.sessionDays` days; null without one. */
  nextSession: z._default(z.nullable(NextGroupSession), null),
});
export type OwnGroup = z.infer<typeof OwnGroup>;

/**
 * The caller's relation to a group. `none`: may join or ask · `waiting`: for a leader's answer · `declined`: may
 * ask again later.
 */
export const GroupStanding = z.enum(['none', 'waiting', 'declined', 'member']);
export type GroupStanding = z.infer<typeof GroupStanding>;

/** Live state of a member, in any room of the site. A clock that was not started yet counts as a pause. */
export const MemberState = z.enum(['focus', 'pause', 'away', 'absent']);
export type MemberState = z.infer<typeof MemberState>;

/** A member as the other members see them. Days and weeks are those of the group. */
export const GroupMember = z.object({
  userId: UserId,
  nickname: z.string(),
  profileImage: z.string(),
  isLeader: z.boolean(),
  joinedAtMs: ServerTimeMs,
  state: MemberState,
  /** Whether they sit in the group's own room. */
  isInRoom: z.boolean(),
  /** Focus of today and of the week from Monday, in closed intervals; the week includes today. */
  todayMs: z.int(),
  weekMs: z.int(),
  /** Start of the running focus; null while none runs. */
  runningSinceMs: z.nullable(ServerTimeMs),
  /** Whether the caller may nudge them now. */
  canBeNudged: z.boolean(),
});
export type GroupMember = z.infer<typeof GroupMember>;

/** The texts of a group that can be reported. */
export const GroupTextKind = z.enum(['name', 'goal', 'notice']);
export type GroupTextKind = z.infer<typeof GroupTextKind>;

/** The name of a group whose own one a moderator has taken away, in any language. */
export const WITHDRAWN_GROUP_NAME = '스터디 그룹 · Study group';

/** A group as its members see it. */
export const Group = z.extend(GroupCard, {
  roomId: RoomId,
  /** The pinned notice; empty for none. */
  notice: z.string(),
  noticeAtMs: z.nullable(ServerTimeMs),
  /** Without members that a block hides from the caller: `hidden` counts these. The caller is among them. */
  people: z.array(GroupMember),
  hidden: z.int(),
  /** The hidden ones that the caller may remove; 0 unless the caller leads the group. */
  removable: z.int(),
  leaders: z.int(),
  /** Focus of all members from joining to leaving, or up to `serverNowMs`; of hidden ones on days that are stored. */
  totalMs: z.int(),
  /** Focus of all members in the week from Monday, up to `serverNowMs`. */
  weekMs: z.int(),
  today: StudyDay,
  dayStartsAtMs: ServerTimeMs,
  dayEndsAtMs: ServerTimeMs,
  /** Monday of this week. */
  weekStartsAtMs: ServerTimeMs,
  /** Learners waiting for a leader's answer; 0 unless the caller leads the group. */
  waiting: z.int(),
  /** The secret of the link; null unless the caller leads the group. */
  invitation: z.nullable(GroupToken),
  /** The caller's own choices. */
  own: z.object({
    isLeader: z.boolean(),
    refusesNudges: z.boolean(),
    /** Coming days from which the caller is excused. */
    excusedDays: z.array(StudyDay),
    /** The secret in the address of the caller's calendar of sessions; null without one. */
    calendar: z.nullable(GroupToken),
    nudgedBy,
    /** The nickname of the member who made the caller a leader, and leads again if the caller steps down as the last one. */
    ledFrom: z._default(z.nullable(z.string()), null),
  }),
  serverNowMs: ServerTimeMs,
});
export type Group = z.infer<typeof Group>;

/** A request to enter a group. */
export const GroupAsker = z.object({
  userId: UserId,
  nickname: z.string(),
  profileImage: z.string(),
  askedAtMs: ServerTimeMs,
});
export type GroupAsker = z.infer<typeof GroupAsker>;

type Running = Pick<GroupMember, 'runningSinceMs'>;

/** The running focus since a moment, at a moment of the server's time. */
const runningMs = ({ runningSinceMs }: Running, sinceMs: number, serverNowMs: number) =>
  runningSinceMs === null ? 0 : Math.max(0, serverNowMs - Math.max(runningSinceMs, sinceMs));

/** A member's focus of the group's today, up to the end of that day. */
export function memberTodayMs(
  member: Running & Pick<GroupMember, 'todayMs'>,
  { dayStartsAtMs, dayEndsAtMs }: Pick<Group, 'dayStartsAtMs' | 'dayEndsAtMs'>,
  serverNowMs: number,
): number {
  return member.todayMs + runningMs(member, dayStartsAtMs, Math.min(serverNowMs, dayEndsAtMs));
}

/** A member's focus of the group's week. */
export function memberWeekMs(
  member: Running & Pick<GroupMember, 'weekMs'>,
  { weekStartsAtMs }: Pick<Group, 'weekStartsAtMs'>,
  serverNowMs: number,
): number {
  return member.weekMs + runningMs(member, weekStartsAtMs, serverNowMs);
}

/** The focus of all members in the group's week: everybody sees the same, also of members hidden from them. */
export const groupWeekMs = (
  {
    weekMs,
    focusing,
    serverNowMs: countedAtMs,
  }: Pick<Group, 'weekMs' | 'focusing' | 'serverNowMs'>,
  serverNowMs: number,
): number => weekMs + focusing * Math.max(0, serverNowMs - countedAtMs);

/** Level n + 1 begins at 10·n² hours of all members together: 10, 40, 90, 160 … */
const LEVEL_HOURS = 10;
const levelFromMs = (level: number) => LEVEL_HOURS * (level - 1) ** 2 * HOUR_MS;

/** The level of a group with this focus of all members, from 1 on, and where it began and the next one begins. */
export function groupLevel(totalMs: number) {
  const level = Math.floor(Math.sqrt(Math.max(0, totalMs) / (LEVEL_HOURS * HOUR_MS))) + 1;
  return { level, fromMs: levelFromMs(level), nextFromMs: levelFromMs(level + 1) };
}

/** The name or goal of a group as it is stored: as that of a room. */
export const groupText = (text: string): string => normalizeLine(text, 'NFKC');

/** Whether a name can be stored after `groupText`. */
export const isGroupName = (name: string): boolean => isReadableLine(name, GROUPS.nameMaxLength);

/** Whether a goal can be stored after `groupText`; it may be empty. */
export const isGroupGoal = (goal: string): boolean =>
  goal === '' || isReadableLine(goal, GROUPS.goalMaxLength);

/** A notice as it is stored: like a chat message, '' for none; null if it is too long. */
export function groupNotice(text: string): string | null {
  const notice = chatContent(text) ?? '';
  return [...notice].length <= GROUPS.noticeMaxLength ? notice : null;
}
