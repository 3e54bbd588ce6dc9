import {
  cancelDeletion,
  exportOwnData,
  getPrivacyState,
  requestDeletion,
} from '@mogakgong/contract';
import { callLanguage, type HttpServer } from '../../platform/http/index.ts';
import type { AccountDeletion } from './deletion.service.ts';
import type { DataExport } from './export.service.ts';

export function servePrivacy(
  http: HttpServer,
  dataExport: DataExport,
  deletion: AccountDeletion,
): void {
  http.serve(exportOwnData, async ({ caller, reply }) => {
    const archive = await dataExport.open(caller.userId);
    reply.header('content-disposition', 'attachment; filename="mogakgong.zip"');
    return archive;
  });

  http.serve(getPrivacyState, async ({ caller }) => ({
    deletesAtMs: await deletion.findDeletionMs(caller.userId),
  }));

  http.serve(requestDeletion, async ({ caller, body, request }) => ({
    deletesAtMs: await deletion.plan(caller.userId, body.delayDays, callLanguage(request.headers)),
  }));

  http.serve(cancelDeletion, async ({ caller }) => {
    await deletion.cancel(caller.userId);
    return { cancelled: true };
  });
}
