import { checkEmail, getProfile, signup, type UserId } from '@mogakgong/contract';
import type { PlatformContext } from '../../platform/context/index.ts';
import { callLanguage } from '../../platform/http/index.ts';
import { createUsersRepository } from './users.repository.ts';
import { createUsersService, type UsersService } from './users.service.ts';

/**
 * Accounts of learners.
 * @param onSignedUp called for a new account with an e-mail, before its owner can log in.
 */
export function createUsers(
  { database, clock, http }: PlatformContext,
  onSignedUp: (userId: UserId, email: string) => Promise<void>,
): UsersService {
  const repository = createUsersRepository(database);
  const users = createUsersService({ repository, clock, onSignedUp });

  http.serve(signup, async ({ body, request }) => ({
    userId: await users.signUp(body, request.ip),
  }));

  http.serve(checkEmail, async ({ body }) => {
    await users.assertEmailFree(body.email);
    return { available: true };
  });

  http.serve(getProfile, async ({ caller, request }) =>
    users.getProfile(caller.userId, callLanguage(request.headers)),
  );

  return users;
}
