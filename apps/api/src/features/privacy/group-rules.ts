import { GROUPS } from '@mogakgong/contract';
import { ownId, type PersonalTable } from './data-rules.ts';

const untilLeft = {
  ko: '그룹에서 나가거나 탈퇴할 때까지',
  en: 'until you leave the group or delete the account',
};

/** Rules of the tables of study groups. */
export const groupRules: Readonly<Record<string, PersonalTable>> = {
  group_session_day: {
    about: {
      ko: '참석하겠다고 한 그룹 모임과 참석한 모임',
      en: 'the sessions of groups that you said you come to, and those you came to',
    },
    kept: { ko: '모임이 끝난 날부터 30일', en: '30 days from the session' },
    deleted: { afterDays: 30, by: 'old group data' },
    owner: 'user_id',
    file: 'group-sessions',
    order: ['session_id', 'day'],
    onDeletion: 'cascade',
    columns: {
      user_id: ownId,
      session_id: 'sessionId',
      day: 'day',
      group_id: 'groupId',
      starts_at: 'startsAt',
      ends_at: 'endsAt',
      is_coming: 'isComing',
      reminded_at: 'remindedAt',
      came_at: 'cameAt',
    },
  },
  group_day: {
    about: { ko: '스터디 그룹의 출석', en: 'your attendance in study groups' },
    kept: {
      ko: `그룹에서 나갈 때까지, 길어도 ${GROUPS.attendanceKeptDays}일`,
      en: `until you leave the group, ${GROUPS.attendanceKeptDays} days at most`,
    },
    deleted: { afterDays: GROUPS.attendanceKeptDays, by: 'old group data' },
    owner: 'user_id',
    file: 'group-attendance',
    order: ['group_id', 'day'],
    onDeletion: 'batches',
    columns: {
      user_id: ownId,
      group_id: 'groupId',
      day: 'day',
      focus_ms: 'focusMs',
      status: 'status',
      settled_at: 'storedAt',
    },
  },
  group_excuse: {
    about: { ko: '미리 쉰다고 한 날', en: 'the days from which you excused yourself' },
    kept: {
      ko: `그룹에서 나갈 때까지, 길어도 ${GROUPS.excusesKeptDays}일`,
      en: `until you leave the group, ${GROUPS.excusesKeptDays} days at most`,
    },
    deleted: { afterDays: GROUPS.excusesKeptDays, by: 'old group data' },
    owner: 'user_id',
    file: 'group-excuses',
    order: ['group_id', 'day'],
    onDeletion: 'cascade',
    columns: { user_id: ownId, group_id: 'groupId', day: 'day', said_at: 'saidAt' },
  },
  group_nudge: {
    about: { ko: '멤버를 콕 찌른 시각', en: 'when you nudged members' },
    kept: { ko: '3일', en: '3 days' },
    deleted: { afterDays: 3, by: 'old group data' },
    owner: 'from_id',
    alsoAbout: 'to_id',
    file: 'group-nudges',
    order: ['to_id'],
    onDeletion: 'cascade',
    columns: {
      from_id: ownId,
      to_id: { withheld: 'the number of somebody else' },
      group_id: 'groupId',
      nudged_at: 'nudgedAt',
    },
  },
  group_request: {
    about: { ko: '스터디 그룹에 한 가입 요청', en: 'where you asked to enter a study group' },
    kept: {
      ko: `답을 받을 때까지, 길어도 ${GROUPS.requestDays}일`,
      en: `until it is answered, ${GROUPS.requestDays} days at most`,
    },
    deleted: { afterDays: GROUPS.requestDays, by: 'old group data' },
    owner: 'user_id',
    file: 'group-requests',
    order: ['group_id'],
    onDeletion: 'cascade',
    columns: {
      user_id: ownId,
      group_id: 'groupId',
      asked_at: 'askedAt',
      declined_at: 'declinedAt',
    },
  },
  group_member: {
    about: { ko: '참여하는 스터디 그룹', en: 'the study groups you are in' },
    kept: untilLeft,
    owner: 'user_id',
    file: 'groups',
    order: ['group_id'],
    onDeletion: 'cascade',
    columns: {
      group_id: 'groupId',
      user_id: ownId,
      is_leader: 'isLeader',
      joined_at: 'joinedAt',
      joined_day: 'joinedDay',
      refuses_nudges: 'refusesNudges',
      calendar: { withheld: 'the secret of an address, which the page of the group shows' },
      kept_row: 'keptDaysInARow',
      led_from: { withheld: 'the number of somebody else' },
    },
  },
};
