import { GROUPS, type GroupId, type RoomId, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, forEachDue } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import { endStanding, exclude, type HostingService, liftExclusion } from '../hosting/index.ts';
import type { PushService } from '../push/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { lockLearner } from '../users/index.ts';
import type { LockedGroup } from './group-rows.ts';
import { isHiddenFrom, type Membership, type MembersRepository } from './members.repository.ts';

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
  async findMember(userId: UserId, groupId: GroupId): Promise<Membership> {
    const membership = await this.#parts.repository.find(userId, groupId);
    if (membership === null) throw new ApiError('groupMembersOnly');
    return membership;
  }

  /** @throws ApiError `groupMembersOnly` or `groupLeadersOnly`. */
  async findLeader(userId: UserId, groupId: GroupId): Promise<Membership> {
    const membership = await this.findMember(userId, groupId);
    if (!membership.isLeader) throw new ApiError('groupLeadersOnly');
    return membership;
  }

  /**
   * Locks a group: its members change in this transaction only.
   * @throws ApiError `groupNotFound`.
   */
  async lock(db: Database, groupId: GroupId): Promise<LockedGroup> {
    const group = await this.#parts.repository.lock(db, groupId);
    if (group === null) throw new ApiError('groupNotFound');
    return group;
  }

  /**
   * Whether a learner, who is locked, may lead one more group, which they are not in yet.
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
      await this.#lockLearner(db, userId);
      const group = await this.lock(db, groupId);
      const entrance = await repository.findEntrance(db, userId, groupId, now);
      if (entrance.isMember) return 'is' as const;
      if (invitation !== undefined && invitation !== group.invitation) {
        throw new ApiError('groupInvitationEnded');
      }
      if (invitation === undefined && !group.isListed) throw new ApiError('groupNotFound');
      if (entrance.isApart) throw new ApiError('blockedPersonInGroup');
      if (entrance.isFull) throw new ApiError('groupFull');
      if (entrance.ownGroups >= GROUPS.perLearnerMax) throw new ApiError('tooManyGroups');
      if (!group.needsApproval) {
        await this.#admit(db, group, userId, now);
        return 'joined' as const;
      }
      if (entrance.isDeclined) throw new ApiError('groupDeclined');
      if (entrance.hasAsked) return 'waits' as const;
      if (entrance.requests >= GROUPS.requestsMax) throw new ApiError('tooManyGroupRequests');
      await repository.ask(db, userId, groupId, now);
      return 'asked' as const;
    });
    if (outcome === 'joined') await this.tell(groupId);
    if (outcome === 'asked') await this.tell(groupId, 'leaders');
    return outcome === 'is' || outcome === 'joined' ? 'member' : 'waiting';
  }

  async cancelRequest(userId: UserId, groupId: GroupId): Promise<void> {
    if (await this.#parts.repository.cancel(userId, groupId)) await this.tell(groupId, 'leaders');
  }

  /** @throws ApiError as the route declares. */
  async answer(
    leaderId: UserId,
    groupId: GroupId,
    askerId: UserId,
    isAccepted: boolean,
  ): Promise<void> {
    const { database, repository, notices, checkedClock } = this.#parts;
    await this.findLeader(leaderId, groupId);
    const now = checkedClock.now();
    await database.transaction().execute(async (db) => {
      await this.#lockLearner(db, askerId, 'groupRequestEnded');
      const group = await this.lock(db, groupId);
      const entrance = await repository.findEntrance(db, askerId, groupId, now);
      if (!entrance.hasAsked) throw new ApiError('groupRequestEnded');
      if (!isAccepted) {
        await repository.decline(db, askerId, groupId, now);
        return;
      }
      if (entrance.isFull) throw new ApiError('groupFull');
      if (entrance.ownGroups >= GROUPS.perLearnerMax) throw new ApiError('tooManyGroups');
      await this.#admit(db, group, askerId, now);
    });
    notices.send(askerId, { kind: 'changed', what: 'groups' });
    await this.tell(groupId, isAccepted ? 'everybody' : 'leaders');
  }

  /** @throws ApiError `groupMembersOnly`. */
  async leave(userId: UserId, groupId: GroupId): Promise<void> {
    const { roomId } = await this.findMember(userId, groupId);
    await this.#end(groupId, sql`m.user_id = ${userId}`);
    await this.#parts.hosting.freeSeat(roomId, userId, null);
    await this.tell(groupId);
  }

  /** @throws ApiError `groupMemberNotFound`, also for a leader; `groupMembersOnly` or `groupLeadersOnly`. */
  async remove(leaderId: UserId, groupId: GroupId, memberId: UserId): Promise<void> {
    const { roomId } = await this.findLeader(leaderId, groupId);
    const removed = await this.#end(groupId, sql`m.user_id = ${memberId} and not m.is_leader`);
    if (removed.length === 0) throw new ApiError('groupMemberNotFound');
    await this.#afterRemoval(groupId, roomId, removed);
  }

  /**
   * Removes the members who block a leader, without naming them.
   * @returns how many they were.
   */
  async removeHidden(leaderId: UserId, groupId: GroupId): Promise<number> {
    const { roomId } = await this.findLeader(leaderId, groupId);
    const removed = await this.#end(groupId, isHiddenFrom(leaderId));
    await this.#afterRemoval(groupId, roomId, removed);
    return removed.length;
  }

  /** @throws ApiError as the route declares. */
  async setLeader(
    leaderId: UserId,
    groupId: GroupId,
    memberId: UserId,
    { isLeader, handsOver }: { isLeader: boolean; handsOver: boolean },
  ): Promise<void> {
    const { database, repository } = this.#parts;
    await this.findLeader(leaderId, groupId);
    // A leader steps down themselves: others cannot take it from them.
    if (!isLeader && memberId !== leaderId) throw new ApiError('groupMemberNotFound');
    await database.transaction().execute(async (db) => {
      await this.#lockLearner(db, memberId, 'groupMemberNotFound');
      await this.lock(db, groupId);
      if (isLeader && memberId !== leaderId) {
        const { led } = await repository.countGroups(db, memberId);
        if (led >= GROUPS.ledMax) throw new ApiError('tooManyGroups');
      }
      const isDone = await repository.setLeader(db, groupId, memberId, isLeader);
      if (!isDone) throw new ApiError('groupMemberNotFound');
      if (handsOver && memberId !== leaderId) {
        await repository.setLeader(db, groupId, leaderId, false);
      }
      if ((await repository.countLeaders(db, groupId)) === 0) throw new ApiError('lastLeader');
    });
    await this.tell(groupId);
  }

  /** @throws ApiError as the route declares. */
  async nudge(fromId: UserId, groupId: GroupId, toId: UserId): Promise<void> {
    const { repository, notices, push, sanctions, checkedClock } = this.#parts;
    const { name: groupName } = await this.findMember(fromId, groupId);
    sanctions.standing.refuseMuted(fromId, 'chatMuted');
    const isWilling = await repository.findNudged(fromId, toId, groupId);
    if (isWilling === null) throw new ApiError('groupMemberNotFound');
    if (!isWilling) throw new ApiError('nudgeRefused');
    const nudge = await repository.nudge(fromId, toId, groupId, checkedClock.now());
    if (nudge === null) throw new ApiError('nudgeRefused');
    notices.send(toId, { kind: 'nudge', groupId, groupName, nickname: nudge.nickname });
    // Rings once a day, however many members nudge.
    const id = `group-nudge:${groupId}:${nudge.day}`;
    void push.send([toId], { id, kind: 'groupNudge', name: groupName });
  }

  /** Tells members that what they see of a group has changed. */
  async tell(groupId: GroupId, who: 'everybody' | 'leaders' = 'everybody'): Promise<void> {
    const { repository, notices } = this.#parts;
    for (const userId of await repository.findIds(groupId, who)) {
      notices.send(userId, { kind: 'changed', what: 'groups' });
    }
  }

  /** Repeated: groups whose leader's account was deleted get another one, or end with their last member. */
  async settleLeaders(): Promise<void> {
    const { database, repository, hosting } = this.#parts;
    await forEachDue(await repository.findLeaderless(), async (groupId) => {
      const ended = await database.transaction().execute(async (db) => {
        const group = await repository.lock(db, groupId);
        return group && this.#succeed(db, group);
      });
      if (ended) await hosting.emptyClosed(ended.roomId);
      else await this.tell(groupId);
    });
  }

  async #lockLearner(
    db: Database,
    userId: UserId,
    refusal: 'userNotFound' | 'groupRequestEnded' | 'groupMemberNotFound' = 'userNotFound',
  ): Promise<void> {
    const { rows } = await lockLearner(sql`${userId}`, null, 'no key update').execute(db);
    if (rows.length === 0) throw new ApiError(refusal);
  }

  async #admit(
    db: Database,
    { groupId, roomId }: LockedGroup,
    userId: UserId,
    now: Date,
  ): Promise<void> {
    await this.#parts.repository.insert(db, userId, groupId, now);
    await liftExclusion(db, roomId, userId);
  }

  /** Ends memberships; the seats are to be freed afterwards. */
  #end(groupId: GroupId, which: RawBuilder<unknown>): Promise<UserId[]> {
    const { database, repository } = this.#parts;
    return database.transaction().execute(async (db) => {
      const group = await this.lock(db, groupId);
      const removed = await repository.remove(db, groupId, which);
      for (const userId of removed) await exclude(db, group.roomId, userId);
      await this.#succeed(db, group);
      return removed;
    });
  }

  /**
   * Gives a group without leader another one, or ends it without members.
   * @returns the group if it has ended.
   */
  async #succeed(db: Database, group: LockedGroup): Promise<LockedGroup | null> {
    const { repository, checkedClock } = this.#parts;
    if (await repository.succeed(db, group.groupId)) return null;
    await repository.deleteGroup(db, group.groupId);
    await endStanding(db, group.roomId, checkedClock.now());
    return group;
  }

  async #afterRemoval(groupId: GroupId, roomId: RoomId, removed: readonly UserId[]): Promise<void> {
    const { hosting, notices } = this.#parts;
    for (const userId of removed) {
      await hosting.freeSeat(roomId, userId, 'removed');
      notices.send(userId, { kind: 'changed', what: 'groups' });
    }
    await this.tell(groupId);
  }
}
