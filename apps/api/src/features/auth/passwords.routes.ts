import { changePassword, finishPasswordReset, requestPasswordReset } from '@mogakgong/contract';
import { callLanguage, type HttpServer, type OwnCookieOptions } from '../../platform/http/index.ts';
import { keepBrowser, loginOriginOf } from './auth.routes.ts';
import type { PasswordResets } from './password-resets.service.ts';
import type { Passwords } from './passwords.service.ts';

export function servePasswords(
  http: HttpServer,
  passwords: Passwords,
  resets: PasswordResets,
  options: OwnCookieOptions,
): void {
  http.serve(changePassword, async ({ caller, body, request }) => {
    await passwords.change(caller, body, request.ip);
    return { changed: true };
  });

  http.serve(requestPasswordReset, ({ body, request }) =>
    resets.request(body.email, callLanguage(request.headers)),
  );

  http.serve(finishPasswordReset, async ({ body, request, reply }) => {
    const browserToken = await resets.finish(body, loginOriginOf(request, options));
    keepBrowser(reply, browserToken, options);
    return { changed: true };
  });
}
