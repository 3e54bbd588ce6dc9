export { FriendLinkPage } from './friend-link-page.tsx';
export { FriendsPage } from './friends-page.tsx';
