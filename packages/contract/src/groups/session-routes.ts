import * as z from 'zod/mini';
import { MINUTE_MS } from '../durations.ts';
import { StudyDay } from '../focus/clock.ts';
import { GroupId } from '../ids.ts';
import { type RouteDefinition, route } from '../route.ts';
import { GroupMonth, StudyMonth } from './attendance.ts';
import { GroupToken } from './groups.ts';
import { done, groupReadRate, leaderErrors, memberErrors, ofGroup } from './route-parts.ts';
import { GroupSession, SessionId, SessionPlan } from './sessions.ts';

export const getGroupMonth = route({
  ...ofGroup,
  method: 'GET',
  path: '/api/groups/:groupId/attendance',
  summary: 'Attendance of the members by day; without a month that of today',
  query: z.object({ month: z.optional(StudyMonth) }),
  reply: GroupMonth,
  errors: memberErrors,
  limit: groupReadRate,
});

export const putExcuse = route({
  ...ofGroup,
  method: 'PUT',
  path: '/api/groups/:groupId/excuses/:day',
  summary: 'Excuses the caller from a day that has not begun, or takes it back',
  params: z.object({ groupId: GroupId, day: StudyDay }),
  body: z.object({ isExcused: z.boolean() }),
  reply: done,
  errors: [...memberErrors, 'excuseTooLate', 'clockWrong'],
});

export const getGroupSessions = route({
  ...ofGroup,
  method: 'GET',
  path: '/api/groups/:groupId/sessions',
  summary: 'The sessions of a group, with the members who come and those who came',
  reply: z.object({ sessions: z.array(GroupSession) }),
  errors: memberErrors,
  limit: groupReadRate,
});

export const addGroupSession = route({
  ...ofGroup,
  method: 'POST',
  path: '/api/groups/:groupId/sessions',
  summary: 'Adds a session that repeats',
  body: SessionPlan,
  reply: z.object({ sessionId: SessionId }),
  errors: [...leaderErrors, 'tooManySessions', 'clockWrong'],
});

const ofSession = {
  ...ofGroup,
  params: z.object({ groupId: GroupId, sessionId: SessionId }),
  reply: done,
} as const satisfies Partial<RouteDefinition>;

export const removeGroupSession = route({
  ...ofSession,
  method: 'DELETE',
  path: '/api/groups/:groupId/sessions/:sessionId',
  summary: 'Ends a session, with the answers of members who come; again changes nothing',
  errors: leaderErrors,
});

export const putComing = route({
  ...ofSession,
  method: 'PUT',
  path: '/api/groups/:groupId/sessions/:sessionId/days/:day',
  summary: 'Says whether the caller comes to a session on a day; reminds them before it',
  params: z.object({ groupId: GroupId, sessionId: SessionId, day: StudyDay }),
  body: z.object({ isComing: z.boolean() }),
  errors: [...memberErrors, 'sessionNotFound', 'clockWrong'],
});

export const renewGroupCalendar = route({
  ...ofGroup,
  method: 'PUT',
  path: '/api/groups/:groupId/calendar',
  summary: "Makes the address of the caller's calendar; the one before opens nothing any more",
  reply: z.object({ calendar: GroupToken }),
  errors: memberErrors,
});

export const endGroupCalendar = route({
  ...ofGroup,
  method: 'DELETE',
  path: '/api/groups/:groupId/calendar',
  summary: "Ends the caller's calendar",
  reply: done,
  errors: memberErrors,
});

export const readGroupCalendar = route({
  method: 'GET',
  path: '/api/group-calendars/:calendar',
  summary: 'The sessions of a group for a calendar application (RFC 5545); its address is a secret',
  access: 'open',
  params: z.object({ calendar: GroupToken }),
  reply: z.string(),
  replyType: 'text/calendar; charset=utf-8',
  errors: ['notFound'],
  limit: { name: 'groupCalendar', max: 60, windowMs: MINUTE_MS, per: 'address' },
});
