import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { rejectUpgrade } from '@mogakgong/stomp';
import { proxyFetch, proxyUpgrade } from 'httpxy';
import { type Admission, bearerOf, type HttpServer, sendError } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { MediaService } from './media.service.ts';

/** Where browsers find the media server's signalling on our own origin. */
export const SIGNALLING_PATH = '/livekit';
/** What a client connects to, in both versions of the protocol; the rest of the server stays inside. */
const CLIENT_PATHS = [`${SIGNALLING_PATH}/rtc`, `${SIGNALLING_PATH}/rtc/v1`];
const VALIDATION_TIMEOUT_MS = 10_000;
/** Credential of a client that cannot set headers. */
const TOKEN_PARAMETER = 'access_token';
/** Makes the media server add a participant of another identity. */
const PUBLISH_PARAMETER = 'publish';

interface SignallingParts {
  readonly http: HttpServer;
  readonly media: MediaService;
  /** The media server that only this machine can reach. */
  readonly internalUrl: () => string;
  readonly logger: Logger;
}

/** A request to the media server with the one credential that was checked. */
interface CheckedRequest {
  readonly url: string;
  readonly authorization: string;
}

/**
 * Passes signalling on to the media server, for the seat that the token's learner has now. Their
 * tokens outlive seats, and the media server makes new ones by itself and revokes none.
 */
export function proxySignalling({ http, media, internalUrl, logger }: SignallingParts): void {
  /** What may be passed on; null for a token of no present seat. */
  async function check(request: Pick<IncomingMessage, 'url' | 'headers'>) {
    const url = new URL((request.url ?? '').slice(SIGNALLING_PATH.length), 'http://localhost');
    const token =
      bearerOf(request.headers.authorization) ?? url.searchParams.get(TOKEN_PARAMETER) ?? '';
    if (!(await media.isForPresentSeat(token))) return null;
    url.searchParams.delete(TOKEN_PARAMETER);
    url.searchParams.delete(PUBLISH_PARAMETER);
    return { url: url.pathname + url.search, authorization: `Bearer ${token}` };
  }

  async function passOn(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    admission: Admission,
  ): Promise<void> {
    const checked: CheckedRequest | null = await check(request);
    if (checked === null) return rejectUpgrade(socket, 401);
    request.url = checked.url;
    request.headers.authorization = checked.authorization;
    await proxyUpgrade(internalUrl(), request, socket as never, head);
    // From here on the media server keeps one connection a seat.
    admission.release();
  }

  for (const path of CLIENT_PATHS) {
    http.onUpgrade(path, (request, socket, head, admission) => {
      passOn(request, socket, head, admission).catch((error: unknown) => {
        logger.debug({ err: error }, 'signalling was not passed on');
        socket.destroy();
      });
    });

    // The client asks here why a connection was refused.
    http.fastify.get(`${path}/validate`, { schema: { hide: true } }, async (request, reply) => {
      const checked = await check(request.raw);
      if (checked === null) return sendError(request, reply, 'notSeated');
      try {
        const answer = await proxyFetch(internalUrl(), new URL(checked.url, internalUrl()), {
          headers: { authorization: checked.authorization },
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
