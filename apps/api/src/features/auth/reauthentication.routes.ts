import { reauthenticate } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { CheckPasskey } from '../passkeys/index.ts';
import type { Reauthentication } from './reauthentication.service.ts';

export function serveReauthentication(
  http: HttpServer,
  reauthentication: Reauthentication,
  checkPasskey: CheckPasskey,
): void {
  http.serve(reauthenticate, async ({ caller, body, request, reply }) => {
    const { passkey, ...rest } = body;
    const passkeyOwner = passkey && (await checkPasskey(passkey, request, reply));
    await reauthentication.prove(caller, { ...rest, passkeyOwner }, request.ip);
    return { authenticated: true };
  });
}
