import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { SessionEnds } from '../auth/index.ts';
import type { BoardLife } from '../board/index.ts';
import type { ChatService } from '../chat/index.ts';
import type { ImagesService } from '../images/index.ts';
import type { ReportsService } from '../reports/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import { createDeletionRepository } from './deletion.repository.ts';
import { createAccountDeletion } from './deletion.service.ts';
import { createExportRepository } from './export.repository.ts';
import { createDataExport } from './export.service.ts';
import { servePrivacy } from './privacy.routes.ts';

const DELETE_DUE_EVERY_MS = 10_000;

interface PrivacyParts {
  readonly database: Database;
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly users: UsersService;
  readonly sessionEnds: SessionEnds;
  readonly sanctions: SanctionsService;
  readonly rooms: RoomsService;
  readonly images: ImagesService;
  readonly chat: ChatService;
  readonly reports: ReportsService;
  readonly boardLife: BoardLife;
}

/** Consents, export and deletion of accounts; `close` waits for mails that are being sent. */
export function createPrivacy({ database, http, jobs, ...parts }: PrivacyParts) {
  const dataExport = createDataExport({
    repository: createExportRepository(database),
    findPicture: parts.images.findAt,
    copiedPictures: parts.boardLife.copiedPictures,
  });
  const deletion = createAccountDeletion({
    ...parts,
    repository: createDeletionRepository(database),
  });
  servePrivacy(http, { users: parts.users, dataExport, deletion });
  jobs.add({
    name: 'account deletions',
    everyMs: DELETE_DUE_EVERY_MS,
    runs: 'site',
    run: () => deletion.deleteDue(),
  });
  return { close: deletion.close };
}
