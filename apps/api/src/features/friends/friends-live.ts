import {
  declineFriendInvitation,
  inviteFriend,
  shareFriendState,
  type UserId,
} from '@mogakgong/contract';
import { isForeignKeyBroken } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import { waitMsOf } from '../../platform/limits/index.ts';
import type { HostingService } from '../hosting/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { FriendsService, FriendsUses } from './friends.service.ts';
import type { FriendsLiveRepository } from './friends-live.repository.ts';

/** Invitations of one friend by another that reach them. */
const invitationsOfOnePerson = { max: 1, windowMs: 5 * 60_000 } as const;

interface FriendsLiveUses extends FriendsUses {
  readonly hosting: Pick<HostingService, 'admit'>;
  readonly friends: FriendsService;
  readonly repository: FriendsLiveRepository;
}

/** The state that friends show each other if both agree, and their invitations (decision 143). */
export function serveFriendsLive(context: AppContext, uses: FriendsLiveUses): void {
  const { http, limits, sanctions, checkedClock: clock } = context;
  const { friends, repository, rooms, users, notices, push, hosting } = uses;
  const perPair = limits.shared('friend invitation', invitationsOfOnePerson);

  http.serve(shareFriendState, async ({ caller: { userId }, body }) => {
    await repository.setSharing(userId, body.sharesState, clock.now()).catch((cause: unknown) => {
      throw isForeignKeyBroken(cause) ? new ApiError('userNotFound', { cause }) : cause;
    });
    return friends.list(userId);
  });

  http.serve(inviteFriend, async ({ caller: { userId }, params: { friendId } }) => {
    sanctions.inForce.refuseMuted(userId, 'chatMuted');
    const seat = await rooms.findSeat(userId);
    if (!seat) throw new ApiError('notSeated');
    if (!(await repository.isSharing(userId))) throw new ApiError('stateNotShared');
    // Answered like one that reaches them.
    if ((await waitMsOf(perPair.consume(`${userId}:${friendId}`))) > 0) return {};
    const { roomId } = seat;
    const now = clock.now();
    if (await repository.invite(userId, friendId, roomId, now)) {
      await hosting.admit(userId, roomId, friendId);
      await tell(userId, friendId, roomId);
      const id = `friend-invitation:${userId}:${now.getTime()}`;
      void push.send([friendId], { id, kind: 'friendInvitation' });
    }
    return {};
  });

  http.serve(declineFriendInvitation, async ({ caller: { userId }, params: { friendId } }) => {
    await repository.decline(friendId, userId);
    return friends.list(userId);
  });

  async function tell(
    fromId: UserId,
    toId: UserId,
    roomId: Parameters<HostingService['admit']>[1],
  ) {
    const nickname = (await users.findCards([fromId])).get(fromId)?.nickname;
    if (nickname !== undefined) notices.send(toId, { kind: 'friendInvitation', nickname, roomId });
  }
}
