import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { proxyFetch, proxyUpgrade } from 'httpxy';
import { type HttpServer, sendError } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';

/** Where browsers find the media server's signalling on our own origin. */
export const SIGNALLING_PATH = '/livekit';
/** What a client connects to, in both versions of the protocol; the rest of the server stays inside. */
const CLIENT_PATHS = [`${SIGNALLING_PATH}/rtc`, `${SIGNALLING_PATH}/rtc/v1`];
const VALIDATION_TIMEOUT_MS = 10_000;

/** Passes signalling on to a media server that only this machine can reach. */
export function proxySignalling(http: HttpServer, internalUrl: () => string, logger: Logger): void {
  for (const path of CLIENT_PATHS) {
    http.onUpgrade(path, (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      request.url = request.url?.slice(SIGNALLING_PATH.length) ?? '/';
      proxyUpgrade(internalUrl(), request, socket as never, head).catch((error: unknown) => {
        logger.debug({ err: error }, 'signalling was not passed on');
        socket.destroy();
      });
    });

    // The client asks here why a connection was refused.
    http.fastify.get(`${path}/validate`, { schema: { hide: true } }, async (request, reply) => {
      const target = new URL(internalUrl());
      target.pathname = `${path.slice(SIGNALLING_PATH.length)}/validate`;
      target.search = request.url.split('?', 2)[1] ?? '';
      try {
        const answer = await proxyFetch(internalUrl(), target, {
          signal: AbortSignal.timeout(VALIDATION_TIMEOUT_MS),
        });
        return await reply
          .status(answer.status)
          .type('text/plain')
          .send(await answer.text());
      } catch {
        return sendError(request, reply, 'mediaUnavailable');
      }
    });
  }
}
