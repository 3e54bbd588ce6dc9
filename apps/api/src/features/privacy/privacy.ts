import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { ImagesService } from '../images/index.ts';
import { createExportRepository } from './export.repository.ts';
import { createDataExport } from './export.service.ts';
import { servePrivacy } from './privacy.routes.ts';

interface PrivacyParts {
  readonly database: Database;
  readonly http: HttpServer;
  readonly images: ImagesService;
}

/** What learners decide about their data. */
export function createPrivacy({ database, http, images }: PrivacyParts): void {
  const dataExport = createDataExport({
    repository: createExportRepository(database),
    findPicture: images.findAt,
  });
  servePrivacy(http, dataExport);
}
