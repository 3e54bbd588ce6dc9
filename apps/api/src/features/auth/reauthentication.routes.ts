import { reauthenticate } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Reauthentication } from './reauthentication.service.ts';

export function serveReauthentication(http: HttpServer, reauthentication: Reauthentication): void {
  http.serve(reauthenticate, async ({ caller, body, request }) => {
    await reauthentication.prove(caller, body, request.ip);
    return { authenticated: true };
  });
}
