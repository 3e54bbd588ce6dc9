export {
  changeEmail,
  changeNickname,
  changeProfileImage,
  changeTitle,
  createUsersRepository,
  leavingUsers,
  lockLearner,
  lockPair,
  proveEmail,
  type StoredNickname,
  setPassword,
  signedUpAt,
  storeWhileLoggedIn,
  userCards,
} from './users.repository.ts';
export {
  type CheckedPassword,
  storedNickname,
  type TitledCard,
  takenError,
  type UsersService,
} from './users.service.ts';
export { createUsers } from './users.ts';
