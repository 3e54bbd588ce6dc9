import { createHash } from 'node:crypto';
import { MEDIA_TOKEN_SECONDS, mediaIdentity, type UserId } from '@mogakgong/contract';
import { AccessToken, type ClaimGrants, TrackSource } from 'livekit-server-sdk';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { BlockedPairs } from '../blocks/index.ts';
import type { RoomsService, TakenPlace } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import type { MediaServers } from './media-servers.ts';
import { isAt, type Place, placeOf, SIGNALLING_PATH } from './place.ts';

/** The dependencies of the media features, beside the context. */
export interface MediaUses {
  readonly users: UsersService;
  readonly pairs: BlockedPairs;
  readonly rooms: RoomsService;
}

export interface MediaParts extends AppContext, MediaUses {
  readonly servers: MediaServers;
}

/** The log-in in a token's metadata. Others in the room can read it, so it is hashed. */
const hashLogin = (sessionId: string) => createHash('sha256').update(sessionId).digest('base64url');

/** Issues and checks tokens of the media server. */
export function createMediaService({ servers, users, rooms, sanctions }: MediaParts) {
  const { inForce } = sanctions;
  return {
    /**
     * The caller's seat in a room, which their log-in holds from now on.
     * @throws ApiError `notSeated` for any other room.
     */
    async findOwnPlace(caller: Caller, roomName: string): Promise<TakenPlace> {
      const seat = await rooms.findSeat(caller.userId);
      if (seat === null || String(seat.roomId) !== roomName) throw new ApiError('notSeated');
      if (seat.sessionId !== caller.sessionId) await rooms.holdSeat(caller);
      return { roomId: seat.roomId, seatId: seat.id };
    },

    /**
     * A token for the room of the caller's own seat. It allows the camera and nothing else: no microphone, no
     * screen, no data, no change of name (design §6, the first lock on sound); not even the camera while a
     * sanction keeps it off.
     * @throws ApiError `mediaUnavailable` while no server can have the room.
     */
    async createToken({ userId, sessionId }: Caller, { roomId, seatId }: TakenPlace) {
      const server = await servers.choose(roomId, userId);
      const { nickname } = await users.getProfile(userId);
      const token = new AccessToken(server.apiKey, server.apiSecret, {
        identity: mediaIdentity(userId, seatId),
        name: nickname,
        ttl: MEDIA_TOKEN_SECONDS,
        attributes: { login: hashLogin(sessionId) },
      });
      token.addGrant({
        room: String(roomId),
        roomJoin: true,
        canSubscribe: true,
        canPublish: !inForce.find(userId, 'cameraOff'),
        canPublishSources: [TrackSource.CAMERA],
        canPublishData: false,
        canUpdateOwnMetadata: false,
      });
      return { token: await token.toJwt(), serverUrl: SIGNALLING_PATH };
    },

    /**
     * The place of a token, issued here or renewed by the media server, if its learner still sits there.
     * @param claims of the token; null if it is not genuine.
     * @param beforeLookUp called before the seat is looked up; may refuse.
     * @throws ApiError `notSeated` for a forged token, one of an earlier visit, one of a log-in that no
     *   longer holds the seat, and one for a camera that must stay off; `accountSuspended`.
     */
    async findPresentPlace(
      claims: ClaimGrants | null,
      beforeLookUp: (userId: UserId) => Promise<void>,
    ): Promise<Place> {
      const place = placeOf(claims?.video?.room, claims?.sub);
      if (!place) throw new ApiError('notSeated');
      await beforeLookUp(place.userId);
      if (inForce.isSuspended(place.userId)) throw new ApiError('accountSuspended');
      const isForCamera = claims?.video?.canPublish !== false;
      if (isForCamera && inForce.find(place.userId, 'cameraOff')) throw new ApiError('notSeated');
      const seat = await rooms.findSeat(place.userId);
      const isHolder = seat?.sessionId && claims?.attributes?.login === hashLogin(seat.sessionId);
      if (!isHolder || !isAt(seat, place)) throw new ApiError('notSeated');
      return place;
    },
  };
}

export type MediaService = ReturnType<typeof createMediaService>;
