import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import { createUsersRepository } from './users.repository.ts';
import { serveUsers } from './users.routes.ts';
import { createUsersService, type UsersParts, type UsersService } from './users.service.ts';

interface UsersFeatureParts extends Omit<UsersParts, 'repository'> {
  readonly database: Database;
  readonly http: HttpServer;
}

/** Accounts of learners. */
export function createUsers(parts: UsersFeatureParts): UsersService {
  const repository = createUsersRepository(parts.database);
  const users = createUsersService({ ...parts, repository });
  serveUsers(parts.http, users);
  return users;
}
