export {
  changeProfileImage,
  changeTitle,
  createUsersRepository,
  lockLearner,
  setPassword,
  userCards,
} from './users.repository.ts';
export { serveUsers } from './users.routes.ts';
export {
  type CheckedPassword,
  createUsersService,
  type TitledCard,
  type UsersService,
} from './users.service.ts';
