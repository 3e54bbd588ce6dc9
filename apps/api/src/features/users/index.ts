export {
  changeProfileImage,
  changeTitle,
  createUsersRepository,
  userCards,
} from './users.repository.ts';
export { serveUsers } from './users.routes.ts';
export {
  createUsersService,
  type TitledCard,
  type UsersService,
} from './users.service.ts';
