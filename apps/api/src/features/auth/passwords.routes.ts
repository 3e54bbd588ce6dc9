import { changePassword } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Passwords } from './passwords.service.ts';

export function servePasswords(http: HttpServer, passwords: Passwords): void {
  http.serve(changePassword, async ({ caller, body, request }) => {
    await passwords.change(caller, body, request.ip);
    return { changed: true };
  });
}
