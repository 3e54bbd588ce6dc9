import { exportOwnData } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { DataExport } from './export.service.ts';

export function servePrivacy(http: HttpServer, dataExport: DataExport): void {
  http.serve(exportOwnData, async ({ caller, reply }) => {
    const archive = await dataExport.open(caller.userId);
    reply.header('content-disposition', 'attachment; filename="mogakgong.zip"');
    return archive;
  });
}
