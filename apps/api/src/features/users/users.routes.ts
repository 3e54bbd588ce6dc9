import { checkEmail, getProfile, signup } from '@mogakgong/contract';
import { callLanguage, type HttpServer } from '../../platform/http/index.ts';
import type { UsersService } from './users.service.ts';

export function serveUsers(http: HttpServer, users: UsersService): void {
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
}
