import {
  type AttendanceStatus,
  type Group,
  type GroupCard,
  GroupId,
  type GroupMember,
  type GroupSession,
  HOUR_MS,
  RoomId,
  SessionId,
  UserId,
} from '@mogakgong/contract';
import { LEARNER } from './log-in.ts';

/** A Friday, 20:00 in Seoul. */
export const NOW_MS = Date.UTC(2026, 10, 27, 11);
export const TODAY = '2026-11-27';
const DAY_STARTS_AT_MS = NOW_MS - 20 * HOUR_MS;

/** A group as others see it. */
export const card: GroupCard = {
  groupId: GroupId.parse(7),
  name: '새벽 수능반',
  goal: '하루 5시간',
  category: 'csat',
  examDay: '2026-12-27',
  rule: {
    kind: 'minutes',
    days: [1, 2, 3, 4, 5],
    minutes: 300,
    fromMinute: 540,
    untilMinute: 1_080,
  },
  weekGoalMinutes: 60 * 60,
  isListed: true,
  needsApproval: false,
  hasRanks: false,
  timeZone: 'Asia/Seoul',
  dayStartMinutes: 0,
  members: 3,
  focusing: 1,
};

/** A member of it. */
export const member = (
  id: number,
  nickname: string,
  more: Partial<GroupMember> = {},
): GroupMember => ({
  userId: UserId.parse(id),
  nickname,
  profileImage: 'default.jpg',
  isLeader: false,
  joinedAtMs: NOW_MS - 240 * HOUR_MS,
  state: 'absent',
  isInRoom: false,
  todayMs: HOUR_MS,
  weekMs: 5 * HOUR_MS,
  runningSinceMs: null,
  canBeNudged: false,
  ...more,
});

/** The group as its members see it: the learner, one in focus and one offline. */
export const group: Group = {
  ...card,
  roomId: RoomId.parse(33),
  notice: '',
  noticeAtMs: null,
  people: [
    member(LEARNER.userId, LEARNER.nickname, { state: 'pause', isInRoom: true }),
    member(2, '서연', { state: 'focus', runningSinceMs: NOW_MS - HOUR_MS, isLeader: true }),
    member(3, '지우', { weekMs: 9 * HOUR_MS, canBeNudged: true }),
  ],
  hidden: 0,
  removable: 0,
  leaders: 1,
  totalMs: 45 * HOUR_MS,
  // 5, 5 and 9 hours of closed intervals, and one that runs.
  weekMs: 20 * HOUR_MS,
  today: TODAY,
  dayStartsAtMs: DAY_STARTS_AT_MS,
  dayEndsAtMs: DAY_STARTS_AT_MS + 24 * HOUR_MS,
  weekStartsAtMs: DAY_STARTS_AT_MS - 96 * HOUR_MS,
  waiting: 0,
  invitation: null,
  own: {
    isLeader: false,
    refusesNudges: false,
    excusedDays: [],
    calendar: null,
    nudgedBy: null,
    ledFrom: null,
  },
  serverNowMs: NOW_MS,
};

/** The same for a leader. */
export const ledGroup: Group = {
  ...group,
  invitation: 'an-invitation-of-twenty-and-more',
  own: { ...group.own, isLeader: true },
};

/** A row of the table with a status a day, from the first day of the month. */
const row = (id: number, statuses: readonly AttendanceStatus[]) => ({
  userId: UserId.parse(id),
  statuses: Array.from({ length: 30 }, (_, index) => statuses[index] ?? ('none' as const)),
  minutes: Array.from({ length: 30 }, (_, index) => (statuses[index] === 'kept' ? 310 : 0)),
  focusMs: 12 * HOUR_MS,
  kept: 2,
  requiredDays: 4,
  row: 2,
});

export const month = {
  month: '2026-11',
  today: TODAY,
  rows: [
    row(2, ['none', 'kept', 'kept']),
    row(LEARNER.userId, ['none', 'kept', 'partly', 'missed', 'excused']),
  ],
};

/** Every day 21:00–23:00; somebody comes today. */
export const session: GroupSession = {
  sessionId: SessionId.parse(5),
  days: [1, 2, 3, 4, 5, 6, 7],
  fromMinute: 1_260,
  untilMinute: 1_380,
  next: [
    {
      day: TODAY,
      startsAtMs: NOW_MS + HOUR_MS,
      endsAtMs: NOW_MS + 3 * HOUR_MS,
      comingIds: [UserId.parse(2)],
      presentIds: [],
    },
  ],
  past: [
    {
      day: '2026-11-26',
      startsAtMs: NOW_MS - 23 * HOUR_MS,
      endsAtMs: NOW_MS - 21 * HOUR_MS,
      comingIds: [],
      presentIds: [UserId.parse(3)],
    },
  ],
};
