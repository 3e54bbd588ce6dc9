import { GROUPS, type GroupId, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, forEachDue } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import { endGroupRoom, exclude, type HostingService, liftExclusion } from '../hosting/index.ts';
import type { PushService } from '../push/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { type LockedGroup, lockGroup } from './group-rows.ts';
import {
  isHiddenFrom,
  lockMember,
  type Membership,
  type MembersRepository,
} from './members.repository.ts';

export interface MembersUses {
  readonly hosting: HostingService;
  readonly notices: Notices;
  readonly push: PushService;
}

interface MembersParts extends AppContext, MembersUses {
  readonly repository: MembersRepository;
}

/** The members of a group: joining, leaving, leading (decision 138). */
export class MembersService {
  readonly #parts: MembersParts;

  constructor(parts: MembersParts) {
    this.#parts = parts;
  }

  /** @throws ApiError `groupMembersOnly`. */
  async findMember(userId: UserId, groupId: GroupId, db?: Database): Promise<Membership> {
    const membership = await this.#parts.repository.find(userId, groupId, db);
    if (membership === null) throw new ApiError('groupMembersOnly');
    return membership;
  }

  /** @throws ApiError `groupMembersOnly` or `groupLeadersOnly`. */
  async findLeader(userId: UserId, groupId: GroupId, db?: Database): Promise<Membership> {
    const membership = await this.findMember(userId, groupId, db);
    if (!membership.isLeader) throw new ApiError('groupLeadersOnly');
    return membership;
  }

  /**
   * Does a leader's work in a transaction that has locked the group: they lead it until the work is done.
   * @param memberId a learner to lock before the group, for a change of their memberships.
   * @throws ApiError `groupMembersOnly` or `groupLeadersOnly`.
   */
  async asLeader<Result>(
    leaderId: UserId,
    groupId: GroupId,
    work: (db: Database, group: LockedGroup) => Promise<Result>,
    memberId?: UserId,
  ): Promise<Result> {
    return this.#parts.database.transaction().execute(async (db) => {
      if (memberId !== undefined) await lockMember(db, memberId);
      const group = await lockGroup(db, groupId);
      if (group === null) throw new ApiError('groupMembersOnly');
      await this.findLeader(leaderId, groupId, db);
      return work(db, group);
    });
  }

  /**
   * Whether a locked learner may lead one more group, which they are not in yet.
   * @throws ApiError `tooManyGroups`.
   */
  async refuseTooMany(db: Database, userId: UserId): Promise<void> {
    const { all, led } = await this.#parts.repository.countGroups(db, userId);
    if (all >= GROUPS.perLearnerMax || led >= GROUPS.ledMax) throw new ApiError('tooManyGroups');
  }

  /** @throws ApiError as the route declares. */
  async join(
    userId: UserId,
    groupId: GroupId,
    invitation: string | undefined,
  ): Promise<'waiting' | 'member'> {
    const { database, repository, checkedClock } = this.#parts;
    const now = checkedClock.now();
    const outcome = await database.transaction().execute(async (db) => {
      if (!(await lockMember(db, userId))) throw new ApiError('userNotFound');
      const group = await lockGroup(db, groupId);
      if (group === null) throw new ApiError('groupNotFound');
      const entrance = await repository.findEntrance(db, userId, groupId, now);
      if (entrance.isMember) return 'is' as const;
      if (invitation !== undefined && invitation !== group.invitation) {
        throw new ApiError('groupInvitationEnded');
      }
      if (invitation === undefined && !group.isListed) throw new ApiError('groupNotFound');
      if (entrance.isApart) throw new ApiError('blockedPersonInGroup');
      if (entrance.isFull) throw new ApiError('groupFull');
      if (entrance.ownGroups >= GROUPS.perLearnerMax) throw new ApiError('tooManyGroups');
      if (entrance.isDeclined) throw new ApiError('groupDeclined');
      if (!group.needsApproval) {
        await this.#admit(db, group, userId, now);
        return 'joined' as const;
      }
      if (entrance.isWaiting) return 'waits' as const;
      if (entrance.requests >= GROUPS.requestsMax) throw new ApiError('tooManyGroupRequests');
      await repository.ask(db, userId, groupId, now);
      return 'asked' as const;
    });
    if (outcome === 'joined') await this.tell(groupId);
    if (outcome === 'asked') await this.tell(groupId, 'leaders', userId);
    return outcome === 'is' || outcome === 'joined' ? 'member' : 'waiting';
  }

  async cancelRequest(userId: UserId, groupId: GroupId): Promise<void> {
    if (!(await this.#parts.repository.cancel(userId, groupId))) return;
    await this.tell(groupId, 'leaders', userId);
  }

  /** @throws ApiError as the route declares; `groupRequestEnded` also for a learner apart from a leader. */
  async answer(
    leaderId: UserId,
    groupId: GroupId,
    askerId: UserId,
    isAccepted: boolean,
  ): Promise<void> {
    const { repository, checkedClock } = this.#parts;
    const now = checkedClock.now();
    const answer = async (db: Database, group: LockedGroup) => {
      const entrance = await repository.findEntrance(db, askerId, groupId, now);
      if (!entrance.isWaiting) throw new ApiError('groupRequestEnded');
      if (!isAccepted) {
        await repository.decline(db, askerId, groupId, now);
        return;
      }
      if (entrance.isFull) throw new ApiError('groupFull');
      if (entrance.ownGroups >= GROUPS.perLearnerMax) throw new ApiError('tooManyGroups');
      await this.#admit(db, group, askerId, now);
    };
    await this.asLeader(leaderId, groupId, answer, askerId);
    await this.tell(groupId, isAccepted ? 'everybody' : 'leaders', askerId);
  }

  /** @throws ApiError `groupMembersOnly`. */
  async leave(userId: UserId, groupId: GroupId): Promise<void> {
    const { database, hosting } = this.#parts;
    const roomId = await database.transaction().execute(async (db) => {
      const group = await lockGroup(db, groupId);
      if (group === null) throw new ApiError('groupMembersOnly');
      const left = await this.#end(db, group, sql`m.user_id = ${userId}`);
      if (left.length === 0) throw new ApiError('groupMembersOnly');
      return group.roomId;
    });
    await hosting.freeSeat(roomId, userId, null);
    await this.tell(groupId, 'everybody', userId);
  }

  /** @throws ApiError `groupMemberNotFound`, also for a leader; `groupMembersOnly` or `groupLeadersOnly`. */
  async remove(leaderId: UserId, groupId: GroupId, memberId: UserId): Promise<void> {
    const which = sql`m.user_id = ${memberId} and not m.is_leader`;
    const removed = await this.#remove(leaderId, groupId, which);
    if (removed === 0) throw new ApiError('groupMemberNotFound');
  }

  /**
   * Removes the members hidden from a leader by a block, without naming them.
   * @returns how many they were.
   * @throws ApiError `groupMembersOnly` or `groupLeadersOnly`.
   */
  removeHidden(leaderId: UserId, groupId: GroupId): Promise<number> {
    return this.#remove(leaderId, groupId, isHiddenFrom(leaderId));
  }

  /** @throws ApiError as the route declares. */
  async setLeader(
    leaderId: UserId,
    groupId: GroupId,
    memberId: UserId,
    { isLeader, handsOver }: { isLeader: boolean; handsOver: boolean },
  ): Promise<void> {
    const { repository, notices } = this.#parts;
    const set = async (db: Database) => {
      // A leader steps down themselves: others cannot take it from them.
      if (!isLeader && memberId !== leaderId) throw new ApiError('groupMemberNotFound');
      if (!isLeader) return this.#stepDown(db, groupId, leaderId);
      if (memberId === leaderId) return null;
      const { led } = await repository.countGroups(db, memberId);
      if (led >= GROUPS.ledMax) throw new ApiError('tooManyGroups');
      const by = { by: leaderId, handsOver };
      const wasLeader = await repository.setLeader(db, groupId, memberId, by);
      if (wasLeader === null) throw new ApiError('groupMemberNotFound');
      if (handsOver) await repository.endLeading(db, groupId, leaderId, true);
      return wasLeader && !handsOver ? null : memberId;
    };
    const ledId = await this.asLeader(leaderId, groupId, set, memberId);
    await this.tell(groupId);
    const names = ledId && (await repository.findNames(groupId, leaderId, ledId));
    if (ledId && names) notices.send(ledId, { kind: 'groupLed', groupId, ...names });
  }

  /**
   * The last leader gives it back to the leader before.
   * @returns that member, if they lead again.
   */
  async #stepDown(db: Database, groupId: GroupId, leaderId: UserId): Promise<UserId | null> {
    const { repository } = this.#parts;
    const isLast = !(await repository.hasOtherLeader(db, groupId, leaderId));
    const giverId = isLast ? await repository.giveBack(db, groupId, leaderId) : null;
    if (isLast && giverId === null) throw new ApiError('lastLeader');
    await repository.endLeading(db, groupId, leaderId, false);
    return giverId;
  }

  /**
   * Tells members that a group has changed.
   * @param besides a learner outside, for example a removed one.
   */
  async tell(
    groupId: GroupId,
    audience: 'everybody' | 'leaders' = 'everybody',
    ...besides: readonly UserId[]
  ): Promise<void> {
    const { repository, notices } = this.#parts;
    const members = await repository.findIds(groupId, audience);
    for (const userId of new Set([...members, ...besides])) {
      notices.send(userId, { kind: 'changed', what: 'groups' });
    }
  }

  /** Repeated: groups whose only leader is deleting their account or is banned get another one, or end with their last member. */
  async settleLeaders(): Promise<void> {
    const { database, repository, hosting } = this.#parts;
    await forEachDue(await repository.findLeaderless(), async (groupId) => {
      const ended = await database.transaction().execute(async (db) => {
        const group = await lockGroup(db, groupId);
        return group && this.#appointSuccessor(db, group);
      });
      if (ended) await hosting.emptyClosed(ended.roomId);
      else await this.tell(groupId);
    });
  }

  async #admit(db: Database, group: LockedGroup, userId: UserId, now: Date): Promise<void> {
    const { groupId, roomId } = group;
    const { repository } = this.#parts;
    const leavingId = await repository.findReplaced(db, groupId);
    if (leavingId !== null) await this.#end(db, group, sql`m.user_id = ${leavingId}`);
    await repository.insert(db, userId, groupId, now);
    await liftExclusion(db, roomId, userId);
  }

  /** Removes members by order of a leader: they may come back like learners after a declined request. */
  async #remove(leaderId: UserId, groupId: GroupId, which: RawBuilder<unknown>): Promise<number> {
    const { hosting, repository, checkedClock } = this.#parts;
    const now = checkedClock.now();
    const end = async (db: Database, group: LockedGroup) => {
      const removed = await this.#end(db, group, which);
      await repository.bar(db, removed, groupId, now);
      return { roomId: group.roomId, removed };
    };
    const { roomId, removed } = await this.asLeader(leaderId, groupId, end);
    for (const userId of removed) await hosting.freeSeat(roomId, userId, 'removed');
    if (removed.length > 0) await this.tell(groupId, 'everybody', ...removed);
    return removed.length;
  }

  /** Ends memberships; the seats are to be freed afterwards. */
  async #end(db: Database, group: LockedGroup, which: RawBuilder<unknown>): Promise<UserId[]> {
    const { repository, checkedClock } = this.#parts;
    const ended = await repository.remove(db, group.groupId, which, checkedClock.now());
    for (const userId of ended) await exclude(db, group.roomId, userId);
    await this.#appointSuccessor(db, group);
    return ended;
  }

  /**
   * Gives a group without leader another one, or ends it without members.
   * @returns the group if it has ended.
   */
  async #appointSuccessor(db: Database, group: LockedGroup): Promise<LockedGroup | null> {
    const { repository, checkedClock } = this.#parts;
    const now = checkedClock.now();
    if (await repository.appointSuccessor(db, group.groupId, now)) return null;
    await repository.deleteGroup(db, group.groupId);
    await endGroupRoom(db, group.roomId, now);
    return group;
  }
}
