import { acknowledgeSanction, appealSanction, getOwnSanctions } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { SanctionsService } from './sanctions.service.ts';

export function serveSanctions(http: HttpServer, sanctions: SanctionsService): void {
  http.serve(getOwnSanctions, async ({ caller }) => ({
    sanctions: await sanctions.findOwn(caller.userId),
  }));

  http.serve(acknowledgeSanction, async ({ caller, params }) => ({
    sanctions: await sanctions.acknowledge(caller.userId, params.sanctionId),
  }));

  http.serve(appealSanction, async ({ caller, params, body }) => ({
    sanctions: await sanctions.appeal(caller.userId, params.sanctionId, body.text),
  }));
}
