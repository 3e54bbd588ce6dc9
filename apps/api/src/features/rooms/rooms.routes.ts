import {
  checkEntry,
  enterRoom,
  getLiveliness,
  leaveRoom,
  type MediaAccess,
  type RoomId,
} from '@mogakgong/contract';
import type { Caller, HttpServer } from '../../platform/http/index.ts';
import type { RoomsService } from './rooms.service.ts';

/** @param findAccess to the media server, for a seat that was just taken; undefined if unavailable. */
export function serveRooms(
  http: HttpServer,
  rooms: RoomsService,
  findAccess: (caller: Caller, roomId: RoomId) => Promise<MediaAccess | undefined>,
): void {
  http.serve(enterRoom, async ({ caller, query, consumeLimit }) => {
    const roomId = await rooms.enter(caller, {
      roomId: query.roomId,
      beforeChange: () => consumeLimit('enterLeave'),
    });
    return { roomId, media: await findAccess(caller, roomId) };
  });

  http.serve(checkEntry, async ({ caller, params }) => ({
    ...params,
    ...(await rooms.checkEntry(caller, params.roomId)),
  }));

  http.serve(leaveRoom, async ({ caller }) => ({ left: await rooms.leave(caller.userId) }));

  http.serve(getLiveliness, async () => rooms.findLiveliness());
}
