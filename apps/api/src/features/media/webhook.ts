import { type HttpServer, sendError } from '../../platform/http/index.ts';
import type { MediaServers } from './media-servers.ts';
import { roomIdOf, SIGNALLING_PATH } from './place.ts';
import type { RoomChecks } from './room-checks.ts';

/** Path for the media server's reports about its rooms. */
const WEBHOOK_PATH = `${SIGNALLING_PATH}/webhook`;
/** Events after which an unauthorised participant may be in a room. */
const CHECKED_EVENTS = new Set(['participant_joined', 'track_published']);

/**
 * Receives the events of the media servers, each signed with its key. They only name rooms to check; an event that
 * could not be handled is answered with an error, and sent again.
 */
export function serveWebhook(
  { fastify }: HttpServer,
  servers: MediaServers,
  checks: RoomChecks,
): void {
  fastify.register(async (scope) => {
    scope.addContentTypeParser(
      'application/webhook+json',
      { parseAs: 'string' },
      async (_request: unknown, body: string) => body,
    );
    scope.post(WEBHOOK_PATH, { schema: { hide: true } }, async (request, reply) => {
      const { authorization } = request.headers;
      const event = await servers.receive(String(request.body), authorization);
      if (event === null) return sendError(request, reply, 'unauthorized');
      if (CHECKED_EVENTS.has(event.event)) {
        await Promise.all(roomIdOf(event.room?.name ?? '').map((roomId) => checks.check(roomId)));
      }
      return reply.status(204).send();
    });
  });
}
