import {
  answerGroupRequest,
  cancelGroupRequest,
  editGroup,
  type GroupId,
  getGroup,
  getGroupCard,
  getGroupRequests,
  getOwnGroups,
  HOUR_MS,
  joinGroup,
  leaveGroup,
  listGroups,
  MINUTE_MS,
  openGroup,
  putGroupLeader,
  putGroupMembership,
  putGroupNotice,
  readGroupInvitation,
  removeHiddenMembers,
  removeMember,
  renewGroupInvitation,
} from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import { createIntervalLine, type FocusService } from '../focus/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createAttendance, type GroupLine } from './attendance.ts';
import { createGroupsRepository, type GroupsRepository } from './groups.repository.ts';
import { GroupsService } from './groups.service.ts';
import { createMembersRepository, type MembersRepository } from './members.repository.ts';
import { MembersService, type MembersUses } from './members.service.ts';
import { serveNudges } from './nudges.ts';
import { createSessions } from './sessions.ts';

export interface GroupsUses extends MembersUses {
  readonly focus: FocusService;
}

/** The part of groups for other features. */
export type Groups = Pick<GroupsService, 'findReportable' | 'withdraw' | 'tell'>;

/** Study groups: members, attendance, sessions. */
export function createGroups(context: AppContext, uses: GroupsUses): Groups {
  const { database, http, jobs } = context;
  const parts = { ...context, ...uses };
  const ofMembers = createMembersRepository(database);
  const repository = createGroupsRepository(database);
  const members = new MembersService({ ...parts, repository: ofMembers });
  const inTurn = createIntervalLine<GroupId>();
  const attendance = createAttendance(context, members, inTurn);
  const groups = new GroupsService({ ...parts, repository, members, attendance });
  const sessions = createSessions(context, members, uses);

  serveGroups(context, groups, { repository, inTurn });
  serveMembers(http, members, ofMembers);
  serveNudges(context, { ...uses, members, repository: ofMembers });

  const deleteOld = async () => {
    await ofMembers.deleteOld(context.checkedClock.now());
    await attendance.deleteOld();
    await sessions.deleteOld();
  };
  const settleLeaders = () => members.settleLeaders();
  jobs.add(
    { name: 'group leaders', everyMs: MINUTE_MS, runs: 'site', run: settleLeaders },
    { name: 'old group data', everyMs: HOUR_MS, runs: 'site', run: deleteOld },
  );
  return groups;
}

function serveGroups(
  { http, clock }: AppContext,
  groups: GroupsService,
  { repository, inTurn }: { readonly repository: GroupsRepository; readonly inTurn: GroupLine },
): void {
  http.serve(openGroup, async ({ caller, body }) => ({
    groupId: await groups.open(caller.userId, body),
  }));
  http.serve(getOwnGroups, async ({ caller }) => ({
    groups: await repository.findOwn(caller.userId, clock.now()),
  }));
  http.serve(listGroups, ({ caller, query }) =>
    repository.findListed(caller.userId, query, clock.now()),
  );
  http.serve(readGroupInvitation, ({ caller, body }) =>
    groups.readInvitation(caller.userId, body.invitation),
  );
  http.serve(getGroupCard, ({ caller, params }) => groups.readCard(caller.userId, params.groupId));
  http.serve(getGroup, ({ caller: { userId }, params: { groupId } }) =>
    inTurn(groupId, () => groups.read(userId, groupId)),
  );
  http.serve(editGroup, async ({ caller, params, body }) => {
    await groups.edit(caller.userId, params.groupId, body);
    return params;
  });
  http.serve(putGroupNotice, async ({ caller, params, body }) => ({
    notice: await groups.setNotice(caller.userId, params.groupId, body.text),
  }));
  http.serve(renewGroupInvitation, async ({ caller, params }) => ({
    invitation: await groups.renewInvitation(caller.userId, params.groupId),
  }));
}

function serveMembers(
  http: HttpServer,
  members: MembersService,
  repository: MembersRepository,
): void {
  http.serve(joinGroup, async ({ caller, params, body }) => ({
    standing: await members.join(caller.userId, params.groupId, body.invitation),
  }));
  http.serve(cancelGroupRequest, async ({ caller, params }) => {
    await members.cancelRequest(caller.userId, params.groupId);
    return params;
  });
  http.serve(leaveGroup, async ({ caller, params }) => {
    await members.leave(caller.userId, params.groupId);
    return params;
  });
  http.serve(putGroupMembership, async ({ caller: { userId }, params: { groupId }, body }) => {
    await members.findMember(userId, groupId);
    await repository.setRefusesNudges(userId, groupId, body.refusesNudges);
    return { groupId };
  });
  http.serve(getGroupRequests, async ({ caller: { userId }, params: { groupId } }) => {
    await members.findLeader(userId, groupId);
    return { askers: await repository.findAskers(groupId) };
  });
  http.serve(answerGroupRequest, async ({ caller, params: { groupId, askerId }, body }) => {
    await members.answer(caller.userId, groupId, askerId, body.isAccepted);
    return { groupId };
  });
  http.serve(removeMember, async ({ caller, params: { groupId, memberId } }) => {
    await members.remove(caller.userId, groupId, memberId);
    return { groupId };
  });
  http.serve(removeHiddenMembers, async ({ caller, params }) => ({
    removed: await members.removeHidden(caller.userId, params.groupId),
  }));
  http.serve(putGroupLeader, async ({ caller, params: { groupId, memberId }, body }) => {
    await members.setLeader(caller.userId, groupId, memberId, body);
    return { groupId };
  });
}
