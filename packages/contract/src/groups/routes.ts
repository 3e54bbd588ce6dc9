import * as z from 'zod/mini';
import { StudyCategory } from '../categories.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts';
import { GroupId, UserId } from '../ids.ts';
import { REPORT_DESCRIPTION_MAX_LENGTH, ReportReason, reportsRate } from '../reports.ts';
import { type RouteDefinition, route } from '../route.ts';
import {
  GROUPS,
  Group,
  GroupAsker,
  GroupCard,
  GroupChoices,
  GroupPlan,
  GroupStanding,
  GroupTextKind,
  GroupToken,
  OwnGroup,
} from './groups.ts';
import { done, groupReadRate, leaderErrors, memberErrors, ofGroup } from './route-parts.ts';

/** Groups of one page of the list. */
export const GROUPS_PER_PAGE = 20;

export const openGroup = route({
  method: 'POST',
  path: '/api/groups',
  summary: 'Makes a study group with the caller as its leader, and the room that stays',
  access: 'login',
  body: GroupPlan,
  reply: z.object({ groupId: GroupId }),
  errors: [
    'unauthorized',
    'userNotFound',
    'groupTextMalformed',
    'unknownTimeZone',
    'tooManyGroups',
    'textMuted',
    'clockWrong',
  ],
  limit: { name: 'openGroup', max: 5, windowMs: HOUR_MS, per: 'user' },
});

export const getOwnGroups = route({
  method: 'GET',
  path: '/api/groups',
  summary: 'The groups of the caller, those with most members in focus first',
  access: 'login',
  reply: z.object({ groups: z.array(OwnGroup) }),
  errors: ['unauthorized'],
  limit: groupReadRate,
});

export const listGroups = route({
  method: 'GET',
  path: '/api/groups/listed',
  summary: 'Listed groups, those with most members in focus first',
  access: 'login',
  query: z.object({
    page: z._default(z.int().check(z.gte(1), z.lte(1_000)), 1),
    category: z.optional(StudyCategory),
    /** Part of the name or goal. */
    text: z.optional(z.string().check(z.maxLength(GROUPS.searchMaxLength))),
  }),
  reply: z.object({ groups: z.array(GroupCard), total: z.int() }),
  errors: ['unauthorized'],
  limit: groupReadRate,
});

const standing = z.object({ group: GroupCard, standing: GroupStanding });

export const readGroupInvitation = route({
  method: 'POST',
  path: '/api/group-invitations',
  summary: 'The group of a link; in a body, so that no log has the secret',
  access: 'login',
  body: z.object({ invitation: GroupToken }),
  reply: standing,
  errors: ['unauthorized', 'groupInvitationEnded', 'blockedPersonInGroup'],
  limit: { name: 'groupInvitation', max: 20, windowMs: MINUTE_MS, per: 'user' },
});

export const getGroupCard = route({
  ...ofGroup,
  method: 'GET',
  path: '/api/groups/:groupId/card',
  summary: 'A listed group, or one of the caller, and the caller’s relation to it',
  reply: standing,
  errors: ['unauthorized', 'groupNotFound'],
  limit: groupReadRate,
});

export const getGroup = route({
  ...ofGroup,
  method: 'GET',
  path: '/api/groups/:groupId',
  summary: 'A group of the caller: members with live state, today and the week',
  reply: Group,
  errors: memberErrors,
  limit: groupReadRate,
});

export const editGroup = route({
  ...ofGroup,
  method: 'PUT',
  path: '/api/groups/:groupId',
  summary: 'Changes the choices of a group; days that are stored keep their attendance',
  body: GroupChoices,
  reply: done,
  errors: [...leaderErrors, 'groupTextMalformed', 'textMuted', 'clockWrong'],
});

export const putGroupNotice = route({
  ...ofGroup,
  method: 'PUT',
  path: '/api/groups/:groupId/notice',
  summary: 'Pins a notice; an empty one is taken off',
  body: z.object({ text: z.string().check(z.maxLength(2_000)) }),
  reply: z.object({ notice: z.string() }),
  errors: [...leaderErrors, 'groupTextMalformed', 'textMuted', 'clockWrong'],
});

export const renewGroupInvitation = route({
  ...ofGroup,
  method: 'POST',
  path: '/api/groups/:groupId/invitation',
  summary: 'Replaces the link: the one before opens nothing any more',
  reply: z.object({ invitation: GroupToken }),
  errors: leaderErrors,
});

export const joinGroup = route({
  ...ofGroup,
  method: 'POST',
  path: '/api/groups/:groupId/members',
  summary: 'Joins a group, or asks its leaders; again changes nothing',
  body: z.object({
    /** For a group that is not listed. */
    invitation: z.optional(GroupToken),
    /** That members see each other's state, focus and attendance. */
    agrees: z.literal(true),
  }),
  reply: z.object({ standing: z.enum(['waiting', 'member']) }),
  errors: [
    'unauthorized',
    'userNotFound',
    'groupNotFound',
    'groupInvitationEnded',
    'blockedPersonInGroup',
    'groupFull',
    'groupDeclined',
    'tooManyGroups',
    'tooManyGroupRequests',
    'clockWrong',
  ],
  limit: { name: 'joinGroup', max: 20, windowMs: HOUR_MS, per: 'user' },
});

export const reportGroup = route({
  ...ofGroup,
  method: 'POST',
  path: '/api/groups/:groupId/reports',
  summary:
    'Reports a text of a group that the caller sees, as a report about its author; of one whose account is deleted, about a leader',
  body: z.object({
    text: z._default(GroupTextKind, 'name'),
    reason: ReportReason,
    description: z.optional(z.string().check(z.maxLength(REPORT_DESCRIPTION_MAX_LENGTH))),
  }),
  reply: done,
  errors: [
    'unauthorized',
    'groupNotFound',
    'cannotReportYourself',
    'alreadyReported',
    'clockWrong',
  ],
  limit: reportsRate,
});

export const cancelGroupRequest = route({
  ...ofGroup,
  method: 'DELETE',
  path: '/api/groups/:groupId/request',
  summary: "Withdraws the caller's request for entry; without one nothing changes",
  reply: done,
  errors: ['unauthorized'],
});

export const leaveGroup = route({
  ...ofGroup,
  method: 'DELETE',
  path: '/api/groups/:groupId/membership',
  summary:
    'Leaves a group: the member of longest standing leads one without leader, one without members ends',
  reply: done,
  errors: [...memberErrors, 'clockWrong'],
});

export const putGroupMembership = route({
  ...ofGroup,
  method: 'PUT',
  path: '/api/groups/:groupId/membership',
  summary: "The caller's own choices in a group",
  body: z.object({ refusesNudges: z.boolean() }),
  reply: done,
  errors: memberErrors,
});

export const getGroupRequests = route({
  ...ofGroup,
  method: 'GET',
  path: '/api/groups/:groupId/requests',
  summary: 'Learners who wait for the answer of a leader, first come first',
  reply: z.object({ askers: z.array(GroupAsker) }),
  errors: leaderErrors,
  limit: groupReadRate,
});

export const answerGroupRequest = route({
  ...ofGroup,
  method: 'PUT',
  path: '/api/groups/:groupId/requests/:askerId',
  summary: 'Admits or declines a learner who asked',
  params: z.object({ groupId: GroupId, askerId: UserId }),
  body: z.object({ isAccepted: z.boolean() }),
  reply: done,
  errors: [...leaderErrors, 'groupRequestEnded', 'groupFull', 'tooManyGroups', 'clockWrong'],
});

const ofMember = {
  ...ofGroup,
  params: z.object({ groupId: GroupId, memberId: UserId }),
  reply: done,
} as const satisfies Partial<RouteDefinition>;

export const removeMember = route({
  ...ofMember,
  method: 'DELETE',
  path: '/api/groups/:groupId/members/:memberId',
  summary: 'Removes a member who does not lead the group',
  errors: [...leaderErrors, 'groupMemberNotFound', 'clockWrong'],
});

export const removeHiddenMembers = route({
  ...ofGroup,
  method: 'DELETE',
  path: '/api/groups/:groupId/members',
  summary: 'Removes the members whom a block hides from the caller, without naming them',
  reply: z.object({ removed: z.int() }),
  errors: [...leaderErrors, 'clockWrong'],
});

export const putGroupLeader = route({
  ...ofMember,
  method: 'PUT',
  path: '/api/groups/:groupId/members/:memberId/leader',
  summary:
    'Makes a member a leader; the caller may step down if another one leads. With `handsOver` both at once',
  body: z.object({
    isLeader: z.boolean(),
    /** The caller stops leading the group. */
    handsOver: z._default(z.boolean(), false),
  }),
  errors: [...leaderErrors, 'groupMemberNotFound', 'lastLeader', 'tooManyGroups'],
});

export const nudgeMember = route({
  ...ofMember,
  method: 'POST',
  path: '/api/groups/:groupId/members/:memberId/nudge',
  summary: 'A notice without a text to a member who is not here, once a day in all groups',
  errors: [...memberErrors, 'groupMemberNotFound', 'nudgeRefused', 'chatMuted', 'clockWrong'],
  limit: { name: 'nudges', max: 60, windowMs: DAY_MS, per: 'user' },
});
