import type { IncomingMessage } from 'node:http';
import { errors, signallingJoins } from '@mogakgong/contract';
import { rejectUpgrade } from '@mogakgong/stomp';
import {
  ApiError,
  assertNoWait,
  bearerOf,
  type HttpServer,
  sendError,
} from '../../platform/http/index.ts';
import { type Limits, waitMsOf } from '../../platform/limits/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { MediaServerAddress, MediaService } from './media.service.ts';
import type { RoomChecks } from './room-checks.ts';
import { relaySignalling } from './signalling-relay.ts';

/** Where browsers find the media server's signalling on our own origin. */
export const SIGNALLING_PATH = '/livekit';
/**
 * What a client connects to; the rest of the server stays inside, and `/rtc/v1` too, with which a
 * client publishes before it says anything.
 */
const CLIENT_PATH = '/rtc';
/** Credential of a client that cannot set headers. */
const TOKEN_PARAMETER = 'access_token';
/** These would add a participant of another identity, or publish without a request of its own. */
const REMOVED_PARAMETERS = [TOKEN_PARAMETER, 'publish', 'join_request'];

interface SignallingParts {
  readonly http: HttpServer;
  readonly server: MediaServerAddress;
  readonly media: MediaService;
  readonly checks: RoomChecks;
  readonly limits: Limits;
  readonly logger: Logger;
}

/**
 * Passes signalling on to the media server, for the seat that the token's learner has now. Their
 * tokens outlive seats, and the media server makes new ones by itself and revokes none.
 */
export function proxySignalling(parts: SignallingParts): void {
  const { http, server, media, checks, limits, logger } = parts;
  const joins = limits.shared('signalling', signallingJoins);
  /**
   * Where a request leads, with the one credential that was checked.
   * @throws ApiError `notSeated`, `tooManyRequests`.
   */
  async function check({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>) {
    const { searchParams } = new URL(url ?? '', 'http://localhost');
    const token = bearerOf(headers.authorization) ?? searchParams.get(TOKEN_PARAMETER) ?? '';
    // Counted before the look-up, so that refused attempts end up costing none.
    const place = await media.findPresentPlace(token, async (userId) =>
      assertNoWait(await waitMsOf(joins.consume(userId))),
    );
    for (const name of REMOVED_PARAMETERS) searchParams.delete(name);
    const target = new URL(`${CLIENT_PATH}?${searchParams}`, server.internalUrl);
    return { place, url: target, authorization: `Bearer ${token}` };
  }

  http.onUpgrade(SIGNALLING_PATH + CLIENT_PATH, async (request, socket, head, admission) => {
    try {
      const checked = await check(request);
      if (socket.destroyed) return;
      await relaySignalling({ request, socket, head, ...checked }, (fault) =>
        checks
          .endVisit(checked.place, fault)
          .catch((error: unknown) => logger.error({ err: error }, 'could not end a visit')),
      );
      // From here on the media server keeps one connection a seat.
      admission.release();
    } catch (error) {
      if (error instanceof ApiError) return rejectUpgrade(socket, errors[error.row].status);
      logger.debug({ err: error }, 'signalling was not passed on');
      socket.destroy();
    }
  });

  // The client asks here why a connection was refused.
  const validation = `${SIGNALLING_PATH}${CLIENT_PATH}/validate`;
  http.fastify.get(validation, { schema: { hide: true } }, async (request, reply) => {
    await check(request.raw);
    if (!server.isAvailable()) return sendError(request, reply, 'mediaUnavailable');
    return reply.type('text/plain').send('success');
  });
}
