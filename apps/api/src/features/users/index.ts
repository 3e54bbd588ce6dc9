export {
  changeProfileImage,
  changeTitle,
  createUsersRepository,
  setPassword,
  userCards,
} from './users.repository.ts';
export { serveUsers } from './users.routes.ts';
export {
  createUsersService,
  type TitledCard,
  type UsersService,
} from './users.service.ts';
