import {
  acceptFriend,
  askByFriendLink,
  askNeighbour,
  getFriends,
  readFriendLink,
  removeFriend,
  renewFriendLink,
} from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { FriendsService } from './friends.service.ts';

export function serveFriends(http: HttpServer, friends: FriendsService): void {
  http.serve(getFriends, ({ caller }) => friends.list(caller.userId));

  http.serve(renewFriendLink, ({ caller }) => friends.renewLink(caller.userId));

  http.serve(readFriendLink, ({ caller, body }) => friends.readLink(caller.userId, body.link));

  http.serve(askByFriendLink, ({ caller, body }) => friends.askByLink(caller.userId, body.link));

  http.serve(askNeighbour, ({ caller, params, body }) =>
    friends.askNeighbour(caller.userId, params.roomId, body.toUserId),
  );

  http.serve(acceptFriend, ({ caller, params }) => friends.accept(caller.userId, params.friendId));

  http.serve(removeFriend, ({ caller, params }) => friends.remove(caller.userId, params.friendId));
}
