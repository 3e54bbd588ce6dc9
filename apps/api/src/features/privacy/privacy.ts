import {
  cancelDeletion,
  exportOwnData,
  getPrivacyState,
  giveConsents,
  requestDeletion,
} from '@mogakgong/contract';
import { callLanguage } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import { createAccountDeletion, type DeletionUses } from './deletion.service.ts';
import { createExportRepository } from './export.repository.ts';
import { createDataExport } from './export.service.ts';

const DELETE_DUE_EVERY_MS = 10_000;

interface PrivacyUses extends DeletionUses {
  readonly users: UsersService;
}

/** Consents, export and deletion of accounts; `close` waits for mails that are being sent. */
export function createPrivacy(context: AppContext, uses: PrivacyUses) {
  const { database, http, jobs } = context;
  const { users, images } = uses;
  const dataExport = createDataExport({
    repository: createExportRepository(database),
    findPicture: images.findAt,
  });
  const deletion = createAccountDeletion(context, uses);

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

  const run = () => deletion.deleteDue();
  jobs.add({ name: 'account deletions', everyMs: DELETE_DUE_EVERY_MS, runs: 'site', run });
  return { close: deletion.close };
}
