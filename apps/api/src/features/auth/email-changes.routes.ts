import { cancelEmailChange, changeEmail, confirmEmail, getEmailChange } from '@mogakgong/contract';
import { callLanguage, type HttpServer } from '../../platform/http/index.ts';
import type { EmailChanges } from './email-changes.service.ts';

export function serveEmailChanges(http: HttpServer, changes: EmailChanges): void {
  http.serve(changeEmail, ({ caller, body, request }) =>
    changes.request(caller, body.newEmail, callLanguage(request.headers)),
  );

  http.serve(getEmailChange, ({ caller }) => changes.findPending(caller.userId));

  http.serve(cancelEmailChange, async ({ caller }) => {
    await changes.cancel(caller.userId);
    return { pendingEmail: null };
  });

  http.serve(confirmEmail, async ({ body, request }) => ({
    email: await changes.confirm(body.token, callLanguage(request.headers)),
  }));
}
