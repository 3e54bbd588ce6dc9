import {
  cancelDeletion,
  exportOwnData,
  getPrivacyState,
  giveConsents,
  requestDeletion,
} from '@mogakgong/contract';
import { callLanguage, type HttpServer } from '../../platform/http/index.ts';
import type { UsersService } from '../users/index.ts';
import type { AccountDeletion } from './deletion.service.ts';
import type { DataExport } from './export.service.ts';

interface ServedParts {
  readonly users: UsersService;
  readonly dataExport: DataExport;
  readonly deletion: AccountDeletion;
}

export function servePrivacy(http: HttpServer, { users, dataExport, deletion }: ServedParts): void {
  http.serve(exportOwnData, async ({ caller, reply }) => {
    const archive = await dataExport.open(caller.userId);
    reply.header('content-disposition', 'attachment; filename="mogakgong.zip"');
    return archive;
  });

  http.serve(getPrivacyState, async ({ caller }) => ({
    deletesAtMs: await deletion.findDeletionMs(caller.userId),
    consents: await users.findConsents(caller.userId),
  }));

  http.serve(giveConsents, async ({ caller, body }) => {
    await users.giveConsents(caller.userId, body.consents);
    return { agreed: true };
  });

  http.serve(requestDeletion, async ({ caller, body, request }) => ({
    deletesAtMs: await deletion.plan(caller.userId, body.delayDays, callLanguage(request.headers)),
  }));

  http.serve(cancelDeletion, async ({ caller }) => {
    await deletion.cancel(caller.userId);
    return { cancelled: true };
  });
}
