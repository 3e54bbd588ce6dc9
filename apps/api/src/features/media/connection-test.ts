import type { UserId } from '@mogakgong/contract';
import { AccessToken, type ClaimGrants, TrackSource } from 'livekit-server-sdk';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { MediaParts } from './media.service.ts';
import { SIGNALLING_PATH } from './place.ts';

/** How long a learner may test the connection to the media server with one token. */
export const CONNECTION_TEST_SECONDS = 120;

/** A learner alone in a room of the media server that is no study room, for a short time. */
export interface ConnectionTest {
  /** Name of the room, and of the learner's identity in it. */
  readonly name: string;
  readonly userId: UserId;
  readonly endsAtMs: number;
  readonly serverId: number;
}

const NAME = /^test-([1-9]\d{0,15})-(\d{13})-(\d{1,9})$/u;

/** Name of the room and identity of a test that starts at this moment. */
export const connectionTestName = (userId: UserId, startsAtMs: number, serverId: number) =>
  `test-${userId}-${startsAtMs}-${serverId}`;

/** The test of a room of the media server; null for every other room, and for other identities. */
export function connectionTestOf(name = '', identity = name): ConnectionTest | null {
  const [, userId, startsAtMs, serverId] = NAME.exec(name) ?? [];
  if (userId === undefined || identity !== name) return null;
  const endsAtMs = Number(startsAtMs) + CONNECTION_TEST_SECONDS * 1_000;
  return { name, userId: Number(userId) as UserId, endsAtMs, serverId: Number(serverId) };
}

export const hasEnded = ({ endsAtMs }: ConnectionTest) => endsAtMs <= Date.now();

/** Issues and checks tokens for tests of the connection to the media server. */
export function createConnectionTests({ servers, sanctions }: MediaParts) {
  return {
    /**
     * A token with which the caller can publish a picture that nobody receives: it takes no seat, and gives
     * access to no room of learners.
     * @throws ApiError `mediaUnavailable` while no server is open.
     */
    async create({ userId }: Caller) {
      const open = servers.all.filter(({ isOpen }) => isOpen);
      const server = open[Math.floor(Math.random() * open.length)];
      if (!server) throw new ApiError('mediaUnavailable');
      const name = connectionTestName(userId, Date.now(), server.id);
      const token = new AccessToken(server.apiKey, server.apiSecret, {
        identity: name,
        ttl: CONNECTION_TEST_SECONDS,
      });
      token.addGrant({
        room: name,
        roomJoin: true,
        canSubscribe: false,
        canPublish: true,
        canPublishSources: [TrackSource.CAMERA],
        canPublishData: false,
        canUpdateOwnMetadata: false,
      });
      return { token: await token.toJwt(), serverUrl: SIGNALLING_PATH };
    },

    /**
     * The connection test of a genuine token; null for every other token.
     * @param beforeUse called with its learner; may refuse.
     * @throws ApiError `notSeated` for a test that has ended; `accountSuspended`.
     */
    async find(
      claims: ClaimGrants | null,
      beforeUse: (userId: UserId) => Promise<void>,
    ): Promise<ConnectionTest | null> {
      const test = connectionTestOf(claims?.video?.room, claims?.sub ?? '');
      if (test === null) return null;
      await beforeUse(test.userId);
      if (sanctions.inForce.isSuspended(test.userId)) throw new ApiError('accountSuspended');
      if (hasEnded(test)) throw new ApiError('notSeated');
      return test;
    },
  };
}

export type ConnectionTests = ReturnType<typeof createConnectionTests>;

/**
 * The tests that this process has admitted. Each ends in time even if its signalling has closed: pictures do
 * not need it.
 * @param end never rejects.
 */
export function createRunningTests(end: (test: ConnectionTest) => Promise<void>) {
  const running = new Map<string, ConnectionTest>();
  return {
    add(test: ConnectionTest): void {
      if (running.has(test.name)) return;
      running.set(test.name, test);
      const finish = () => {
        running.delete(test.name);
        void end(test);
      };
      setTimeout(finish, test.endsAtMs - Date.now()).unref();
    },

    /** Ends the tests of a suspended learner. May be repeated. */
    async endOf(userId: UserId): Promise<void> {
      const own = [...running.values()].filter((test) => test.userId === userId);
      await Promise.all(own.map(end));
    },
  };
}

export type RunningTests = ReturnType<typeof createRunningTests>;
