import {
  acceptFriend,
  askByFriendLink,
  askNeighbour,
  getFriends,
  HOUR_MS,
  readFriendLink,
  removeFriend,
  renewFriendLink,
} from '@mogakgong/contract';
import type { BlocksService } from '../blocks/index.ts';
import type { HostingService } from '../hosting/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createFriendsRepository, endAll } from './friends.repository.ts';
import { FriendsService, type FriendsUses } from './friends.service.ts';
import { createFriendsLiveRepository } from './friends-live.repository.ts';
import { serveFriendsLive } from './friends-live.ts';

/** Friendships and requests. */
export function createFriends(
  context: AppContext,
  {
    blocks,
    hosting,
    ...uses
  }: FriendsUses & { readonly blocks: BlocksService; readonly hosting: HostingService },
): void {
  const { http, jobs, checkedClock: clock } = context;
  const repository = createFriendsRepository(context.database);
  const live = createFriendsLiveRepository(context.database);
  const friends = new FriendsService({ ...context, ...uses, repository, live, clock });
  serveFriendsLive(context, { ...uses, hosting, friends, repository: live });
  blocks.addBlockStep(endAll);

  http.serve(getFriends, ({ caller }) => friends.list(caller.userId));

  http.serve(renewFriendLink, ({ caller }) => friends.renewLink(caller.userId));

  http.serve(readFriendLink, ({ caller, body }) => friends.readLink(caller.userId, body.link));

  http.serve(askByFriendLink, ({ caller, body }) => friends.askByLink(caller.userId, body.link));

  http.serve(askNeighbour, ({ caller, params, body }) =>
    friends.askNeighbour(caller.userId, params.roomId, body.toUserId),
  );

  http.serve(acceptFriend, ({ caller, params }) => friends.accept(caller.userId, params.friendId));

  http.serve(removeFriend, ({ caller, params }) => friends.remove(caller.userId, params.friendId));

  const deleteLapsed = () => friends.deleteLapsed();
  jobs.add({ name: 'lapsed friend requests', everyMs: HOUR_MS, runs: 'site', run: deleteLapsed });
}
