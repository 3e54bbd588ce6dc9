import { MEDIA_TOKEN_SECONDS, RoomId, UserId } from '@mogakgong/contract';
import { AccessToken, RoomServiceClient, TrackSource } from 'livekit-server-sdk';
import type { Clock } from '../../platform/clock/index.ts';
import type { HealthCheck } from '../../platform/health/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { RoomsService } from '../rooms/index.ts';

const REQUEST_TIMEOUT_SECONDS = 5;

/** The media server that tokens are for. */
export interface MediaServerAddress {
  /** Where this process reaches it: http(s). May change when it is started again. */
  readonly internalUrl: () => string;
  /** Where browsers reach its signalling: absolute, or a path of our own origin. */
  readonly publicUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Whether it is known to run right now. */
  readonly isAvailable: () => boolean;
  readonly health: () => HealthCheck;
}

/** Somebody who is connected to a room of the media server. */
interface Place {
  readonly roomId: RoomId;
  readonly userId: UserId;
}

interface MediaTokenRequest {
  readonly roomName: string;
  readonly userId: UserId;
  readonly displayName: string;
}

interface MediaParts {
  readonly server: MediaServerAddress;
  readonly rooms: RoomsService;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A learner's place in LiveKit: room and identity are our ids as text (specification §3). */
const place = (roomId: RoomId, userId: UserId) => [String(roomId), String(userId)] as const;

export function createMediaService({ server, rooms, clock, logger }: MediaParts) {
  let answeringSinceMs: number | null = null;
  const client = () =>
    new RoomServiceClient(server.internalUrl(), server.apiKey, server.apiSecret, {
      requestTimeout: REQUEST_TIMEOUT_SECONDS,
    });

  async function removeParticipant(roomId: RoomId, userId: UserId): Promise<void> {
    if (!server.isAvailable()) return;
    try {
      await client().removeParticipant(...place(roomId, userId));
    } catch (error) {
      // Usually the browser has disconnected by itself a moment earlier.
      logger.debug({ err: error, roomId, userId }, 'no participant to remove');
    }
  }

  async function listConnected(): Promise<Place[]> {
    const open = await client().listRooms();
    const occupied = open.filter((room) => room.numParticipants > 0);
    const places = await Promise.all(
      occupied.map(async ({ name }) => {
        const roomId = RoomId.safeParse(Number(name));
        const participants = await client().listParticipants(name);
        return participants.flatMap(({ identity }) => {
          const userId = UserId.safeParse(Number(identity));
          return roomId.success && userId.success
            ? [{ roomId: roomId.data, userId: userId.data }]
            : [];
        });
      }),
    );
    return places.flat();
  }

  /** Who is connected where they sit; whoever is connected elsewhere is removed (a token outlives a seat). */
  async function removeUnseated(connected: readonly Place[]): Promise<UserId[]> {
    const seats = await rooms.findSeats(connected.map(({ userId }) => userId));
    const isSeated = ({ roomId, userId }: Place) => seats.get(userId)?.roomId === roomId;
    const strangers = connected.filter((place) => !isSeated(place));
    await Promise.all(strangers.map(({ roomId, userId }) => removeParticipant(roomId, userId)));
    return connected.filter(isSeated).map(({ userId }) => userId);
  }

  return {
    /**
     * A token for the room of the caller's own seat. It allows the camera and nothing else: no
     * microphone, no screen, no data, no change of name (design §6, the first lock on sound).
     * @throws ApiError `notSeated` for any other room, `mediaUnavailable` while the server is down.
     */
    async createToken({ roomName, userId, displayName }: MediaTokenRequest) {
      const seat = await rooms.findSeat(userId);
      if (seat === null || String(seat) !== roomName) throw new ApiError('notSeated');
      if (!server.isAvailable()) throw new ApiError('mediaUnavailable');
      const token = new AccessToken(server.apiKey, server.apiSecret, {
        identity: String(userId),
        name: displayName,
        ttl: MEDIA_TOKEN_SECONDS,
      });
      token.addGrant({
        room: roomName,
        roomJoin: true,
        canSubscribe: true,
        canPublish: true,
        canPublishSources: [TrackSource.CAMERA],
        canPublishData: false,
        canUpdateOwnMetadata: false,
      });
      return { token: await token.toJwt(), serverUrl: server.publicUrl };
    },

    removeParticipant,

    /**
     * Tells the rooms who is connected where they sit: a camera connection is proof of life. Who is
     * connected without a seat there is removed.
     * @returns for how many milliseconds the media server has answered without a gap; 0 when it
     * does not, because then nobody can be seen and nobody counts as silent.
     */
    async noteConnected(): Promise<number> {
      try {
        await rooms.noteSeen(await removeUnseated(await listConnected()));
      } catch (error) {
        logger.warn({ err: error }, 'the media server did not say who is connected');
        answeringSinceMs = null;
        return 0;
      }
      const nowMs = clock.now().getTime();
      answeringSinceMs ??= nowMs;
      return nowMs - answeringSinceMs;
    },
  };
}

export type MediaService = ReturnType<typeof createMediaService>;
