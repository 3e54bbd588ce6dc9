import {
  type Group,
  type GroupChoices,
  type GroupId,
  type GroupMember,
  type GroupPlan,
  type GroupTextKind,
  groupNotice,
  groupText,
  isDate,
  isGroupGoal,
  isGroupName,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { FocusService } from '../focus/index.ts';
import { newInvitation, openGroupRoom, renameGroupRoom } from '../hosting/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { lockLearner } from '../users/index.ts';
import type { Attendance } from './attendance.ts';
import { cardOf } from './group-rows.ts';
import { findTexts, type ReportedText, withdrawText } from './group-texts.ts';
import type { GroupsRepository, ReadGroup, ReadMember } from './groups.repository.ts';
import type { MembersService } from './members.service.ts';

interface GroupsParts extends AppContext {
  readonly repository: GroupsRepository;
  readonly members: MembersService;
  readonly attendance: Attendance;
  readonly focus: FocusService;
}

/** Study groups: how they are made, changed, found and read (decision 138). */
export class GroupsService {
  readonly #parts: GroupsParts;

  constructor(parts: GroupsParts) {
    this.#parts = parts;
  }

  /** @throws ApiError as the route declares. */
  async open(leaderId: UserId, plan: GroupPlan): Promise<GroupId> {
    const { database, repository, members, env, checkedClock } = this.#parts;
    const choices = this.#checked(leaderId, plan);
    if (!(await this.#knowsTimeZone(plan.timeZone))) throw new ApiError('unknownTimeZone');
    const now = checkedClock.now();
    return database.transaction().execute(async (db) => {
      const leader = await lockLearner(sql`${leaderId}`, null, 'no key update').execute(db);
      if (leader.rows.length === 0) throw new ApiError('userNotFound');
      await members.refuseTooMany(db, leaderId);
      const { name, goal } = choices;
      const room = { name, goal, capacity: env.ROOM_CAPACITY, invitation: newInvitation(), now };
      const roomId = await openGroupRoom(db, room);
      const made = { roomId, leaderId, invitation: newInvitation(), now };
      return repository.insert(db, { ...plan, ...choices }, made);
    });
  }

  /**
   * Changes a group. Days that are over for an hour are stored before, as the rule so far judges them; a new rule
   * judges from the first day that is not stored.
   * @throws ApiError as the route declares.
   */
  async edit(leaderId: UserId, groupId: GroupId, wanted: GroupChoices): Promise<void> {
    const { repository, members, attendance } = this.#parts;
    await members.asLeader(leaderId, groupId, async (db, { roomId }) => {
      const choices = this.#checked(leaderId, wanted);
      await attendance.settleOver(db, groupId);
      await repository.edit(db, groupId, choices, leaderId);
      await renameGroupRoom(db, roomId, choices);
    });
    await members.tell(groupId);
  }

  /** @throws ApiError as the route declares. */
  async setNotice(leaderId: UserId, groupId: GroupId, text: string): Promise<string> {
    const { repository, members, sanctions, checkedClock } = this.#parts;
    const now = checkedClock.now();
    const stored = await members.asLeader(leaderId, groupId, async (db) => {
      const notice = groupNotice(text);
      if (notice === null) throw new ApiError('groupTextMalformed');
      if (notice !== '') sanctions.inForce.refuseMuted(leaderId, 'textMuted');
      await repository.setNotice(db, groupId, notice, { leaderId, now });
      return notice;
    });
    await members.tell(groupId);
    return stored;
  }

  /** @throws ApiError `groupMembersOnly` or `groupLeadersOnly`. */
  async renewInvitation(leaderId: UserId, groupId: GroupId): Promise<string> {
    const { repository, members } = this.#parts;
    const invitation = newInvitation();
    await members.asLeader(leaderId, groupId, (db) =>
      repository.setInvitation(db, groupId, invitation),
    );
    return invitation;
  }

  /** @throws ApiError `groupInvitationEnded` or `blockedPersonInGroup`. */
  async readInvitation(userId: UserId, invitation: string) {
    const { repository, clock } = this.#parts;
    const found = await repository.findStanding(userId, { invitation }, clock.now());
    if (found === null) throw new ApiError('groupInvitationEnded');
    const { isApart, ...shown } = found;
    if (isApart && shown.standing !== 'member') throw new ApiError('blockedPersonInGroup');
    return shown;
  }

  /**
   * @throws ApiError `groupNotFound`, also for a group that is entered by its link only, and for one that the list
   * leaves out because of a block: another answer would tell who leads it.
   */
  async readCard(userId: UserId, groupId: GroupId) {
    const { repository, clock } = this.#parts;
    const found = await repository.findStanding(userId, { groupId }, clock.now());
    if (found === null) throw new ApiError('groupNotFound');
    const { isApart, ...shown } = found;
    const isFound = shown.standing !== 'none' || shown.group.isListed;
    if (!isFound || (isApart && shown.standing !== 'member')) throw new ApiError('groupNotFound');
    return shown;
  }

  /** @throws ApiError `groupMembersOnly`. */
  async read(userId: UserId, groupId: GroupId): Promise<Group> {
    const { repository, clock } = this.#parts;
    const now = clock.now();
    const group = await repository.read(userId, groupId, now);
    if (group === null) throw new ApiError('groupMembersOnly');
    return toGroup(group, await repository.readMembers(userId, groupId, now), now);
  }

  /**
   * A text of a group that a learner sees, to be reported, and all of them.
   * @throws ApiError `groupNotFound`, also without such a text, and for the notice, which members alone see.
   */
  async findReportable(userId: UserId, groupId: GroupId, kind: GroupTextKind) {
    const { group, standing } = await this.readCard(userId, groupId);
    if (kind === 'notice' && standing !== 'member') throw new ApiError('groupNotFound');
    const texts = await findTexts(this.#parts.database, groupId);
    const reported = texts.find((text) => text.kind === kind);
    if (reported === undefined) throw new ApiError('groupNotFound');
    return { reported: { ...reported, groupId }, texts, groupName: group.name };
  }

  /**
   * Takes reported texts from groups that still have them, in the transaction of a decision, after whose commit
   * their members are to be told.
   * @returns the groups that have lost one.
   */
  async withdraw(db: Database, texts: readonly ReportedText[]): Promise<GroupId[]> {
    const changed = new Set<GroupId>();
    for (const text of texts) {
      const group = await withdrawText(db, text);
      if (group === null) continue;
      await renameGroupRoom(db, group.roomId, group);
      changed.add(text.groupId);
    }
    return [...changed];
  }

  /** Tells the members of a group that it has changed. */
  tell(groupId: GroupId): Promise<void> {
    return this.#parts.members.tell(groupId);
  }

  /** The choices as they are stored. */
  #checked<Choices extends GroupChoices>(leaderId: UserId, choices: Choices): Choices {
    const [name, goal] = [groupText(choices.name), groupText(choices.goal)];
    if (!isGroupName(name) || !isGroupGoal(goal)) throw new ApiError('groupTextMalformed');
    this.#parts.sanctions.inForce.refuseMuted(leaderId, 'textMuted');
    const { examDay } = choices;
    if (examDay !== null && !isDate(examDay)) throw new ApiError('invalidRequest');
    return { ...choices, name, goal };
  }

  /** Both the database and this runtime, which writes calendars. */
  async #knowsTimeZone(timeZone: string): Promise<boolean> {
    try {
      new Intl.DateTimeFormat('en', { timeZone });
    } catch {
      return false;
    }
    return this.#parts.focus.knowsTimeZone(timeZone);
  }
}

function toGroup(row: ReadGroup, members: readonly ReadMember[], now: Date): Group {
  const staying = members.filter((member) => member.isStaying);
  const [shown, hidden] = [
    staying.filter(({ isHidden }) => !isHidden),
    staying.filter(({ isHidden }) => isHidden),
  ];
  return {
    ...cardOf(row),
    roomId: row.roomId,
    notice: row.notice,
    noticeAtMs: row.noticeAt?.getTime() ?? null,
    people: shown.map(toMember),
    hidden: hidden.length,
    removable: row.isLeader ? hidden.filter(({ isLeader }) => !isLeader).length : 0,
    leaders: members.filter(({ canLead }) => canLead).length,
    totalMs: members.reduce((sum, { liveMs }) => sum + liveMs, row.settledMs),
    weekMs: members.reduce((sum, { weekUntilNowMs }) => sum + weekUntilNowMs, 0),
    today: row.today,
    dayStartsAtMs: row.dayStartsAt.getTime(),
    dayEndsAtMs: row.dayEndsAt.getTime(),
    weekStartsAtMs: row.weekStartsAt.getTime(),
    waiting: row.waiting,
    invitation: row.isLeader ? row.invitation : null,
    own: {
      isLeader: row.isLeader,
      refusesNudges: row.refusesNudges,
      excusedDays: row.excusedDays,
      calendar: row.calendar,
      nudgedBy: row.nudgedBy,
      ledFrom: row.ledFrom,
    },
    serverNowMs: now.getTime(),
  };
}

function toMember({
  liveMs: _,
  weekUntilNowMs,
  isHidden,
  isStaying,
  joinedAt,
  runningSince,
  ...member
}: ReadMember): GroupMember {
  return {
    ...member,
    joinedAtMs: joinedAt.getTime(),
    runningSinceMs: runningSince?.getTime() ?? null,
  };
}
