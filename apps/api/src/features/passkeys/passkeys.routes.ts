import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  getPasskeys,
  PASSKEY_CHALLENGE_SECONDS,
  type PasskeyProof,
  removePasskey,
  renamePasskey,
  type UserId,
} from '@mogakgong/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  createOwnCookie,
  type HttpServer,
  type OwnCookieOptions,
  siteOrigin,
} from '../../platform/http/index.ts';
import type { PasskeysService } from './passkeys.service.ts';

/** The challenge that only the browser it was made for can answer. */
const challengeCookie = {
  name: 'mogakgong_passkey',
  path: '/api',
  lifetimeSeconds: PASSKEY_CHALLENGE_SECONDS,
};

interface PasskeysRoutesParts extends OwnCookieOptions {
  readonly passkeys: PasskeysService;
}

/** Says whose passkey has answered the challenge of a request's browser, once. */
export type CheckPasskey = (
  proof: PasskeyProof,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<UserId>;

export function servePasskeys(http: HttpServer, parts: PasskeysRoutesParts): CheckPasskey {
  const { passkeys, publicUrl } = parts;
  const cookie = createOwnCookie(challengeCookie, parts);
  const takeChallenge = (request: FastifyRequest, reply: FastifyReply) => {
    const sealed = cookie.read(request) ?? '';
    cookie.clear(reply);
    return sealed;
  };

  http.serve(getPasskeys, async ({ caller }) => ({ passkeys: await passkeys.list(caller.userId) }));

  http.serve(beginPasskey, async ({ caller, request, reply }) => {
    const begun = await passkeys.beginAdding(caller.userId, siteOrigin(request, publicUrl));
    cookie.set(reply, begun.sealed);
    return { options: begun.options };
  });

  http.serve(addPasskey, async ({ caller, body, request, reply }) => {
    const sealed = takeChallenge(request, reply);
    const origin = siteOrigin(request, publicUrl);
    return { passkeys: await passkeys.add(caller, body, sealed, origin) };
  });

  http.serve(renamePasskey, async ({ caller, params, body }) => ({
    passkeys: await passkeys.rename(caller.userId, params.passkeyId, body.name),
  }));

  http.serve(removePasskey, async ({ caller, params }) => ({
    passkeys: await passkeys.remove(caller.userId, params.passkeyId),
  }));

  http.serve(beginPasskeyLogin, async ({ request, reply }) => {
    const begun = await passkeys.beginProof(siteOrigin(request, publicUrl));
    cookie.set(reply, begun.sealed);
    return { options: begun.options };
  });

  return (proof, request, reply) =>
    passkeys.check(proof, takeChallenge(request, reply), siteOrigin(request, publicUrl));
}
