import { sendNod } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { NodsService } from './nods.service.ts';

export function serveNods(http: HttpServer, nods: NodsService): void {
  http.serve(sendNod, async ({ caller, params, body }) => {
    await nods.send(caller.userId, params.roomId, body.toUserId);
    return body;
  });
}
