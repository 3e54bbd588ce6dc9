import { checkEntry, enterRoom, getLiveliness, leaveRoom } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { RoomsService } from './rooms.service.ts';

export function serveRooms(http: HttpServer, rooms: RoomsService): void {
  http.serve(enterRoom, async ({ caller, query, consumeLimit }) => ({
    roomId: await rooms.enter(caller, {
      roomId: query.roomId,
      beforeChange: () => consumeLimit('enterLeave'),
    }),
  }));

  http.serve(checkEntry, async ({ caller, params }) => ({
    ...params,
    ...(await rooms.checkEntry(caller, params.roomId)),
  }));

  http.serve(leaveRoom, async ({ caller }) => ({ left: await rooms.leave(caller.userId) }));

  http.serve(getLiveliness, async () => rooms.findLiveliness());
}
