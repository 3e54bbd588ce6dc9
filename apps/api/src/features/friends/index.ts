export { friendsOf } from './friends.repository.ts';
export { createFriends } from './friends.ts';
