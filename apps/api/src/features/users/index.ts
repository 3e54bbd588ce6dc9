export {
  changeEmail,
  changeNickname,
  changeProfileImage,
  changeTitle,
  createUsersRepository,
  leavingUsers,
  lockEmail,
  lockLearner,
  lockPair,
  proveEmail,
  type StoredNickname,
  setPassword,
  storeWhileLoggedIn,
  userCards,
} from './users.repository.ts';
export { serveUsers } from './users.routes.ts';
export {
  type CheckedPassword,
  createUsersService,
  storedNickname,
  type TitledCard,
  takenError,
  type UsersService,
} from './users.service.ts';
