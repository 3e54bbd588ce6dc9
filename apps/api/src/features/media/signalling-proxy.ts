import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { errors, everythingRate, MINUTE_MS, type UserId } from '@mogakgong/contract';
import { rejectUpgrade } from '@mogakgong/stomp';
import { ApiError, bearerOf, requireAllowed } from '../../platform/http/index.ts';
import type { ConnectionTests, RunningTests } from './connection-test.ts';
import type { MediaParts, MediaService } from './media.service.ts';
import { serverUrlOf } from './media-servers.ts';
import { PairFilter } from './pair-filter.ts';
import { type Place, SIGNALLING_PATH } from './place.ts';
import type { RoomChecks } from './room-checks.ts';
import type { TcpPorts } from './shown-port.ts';
import { relaySignalling } from './signalling-relay.ts';

/**
 * Attempts of one learner to open a signalling connection or to ask why that was refused; a client that
 * reconnects makes at most 30 of each a minute.
 */
const signallingJoins = { max: 60, windowMs: MINUTE_MS } as const;

/**
 * The path to which a client connects; the rest of the server stays internal, including `/rtc/v1`, where a
 * client publishes with its connection request.
 */
const CLIENT_PATH = '/rtc';
/** Credential of a client that cannot set headers. */
const TOKEN_PARAMETER = 'access_token';
/**
 * Parameters that livekit-client sends for our pages. Others would add a participant of another identity, publish
 * without a separate request, or let the media server send to any address that a client names.
 */
const PASSED_PARAMETERS = [
  ...['auto_subscribe', 'adaptive_stream', 'subscriber_allow_pause'],
  ...['reconnect', 'sid', 'reconnect_reason', 'protocol', 'client_protocol'],
  ...['sdk', 'version', 'os', 'os_version', 'browser', 'browser_version', 'device_model'],
  'network',
];

interface SignallingParts extends MediaParts {
  readonly media: MediaService;
  readonly tests: ConnectionTests;
  readonly running: RunningTests;
  readonly checks: RoomChecks;
}

/**
 * Relays signalling to the media server, for the present seat of the token's learner, or for a connection
 * test until it ends. Tokens outlive seats, and the media server issues new ones by itself and revokes none.
 */
export function proxySignalling(parts: SignallingParts): void {
  const { env, http, servers, media, tests, running, checks, limits, logger } = parts;
  const listed = new Set(env.LIVEKIT_URL?.map(serverUrlOf));
  const openFilter = createPairFilters(parts);
  const joins = limits.shared('signalling', signallingJoins);
  /**
   * The target of a request, with the one credential that was checked.
   * @throws ApiError `notSeated`, `tooManyRequests`, `mediaUnavailable`.
   */
  async function check({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>) {
    const { searchParams } = new URL(url ?? '', 'http://localhost');
    const token = bearerOf(headers.authorization) ?? searchParams.get(TOKEN_PARAMETER) ?? '';
    // Counted before the look-up, so that refused attempts cost none.
    const count = (userId: UserId) => requireAllowed(joins.consume(userId));
    const claims = await servers.verify(token);
    const test = await tests.find(claims, count);
    const admitted = test
      ? ({ test } as const)
      : ({ place: await media.findPresentPlace(claims, count) } as const);
    const passed = new URLSearchParams();
    for (const name of PASSED_PARAMETERS) {
      const value = searchParams.get(name);
      if (value !== null) passed.set(name, value);
    }
    const { test: tested, place } = admitted;
    const server = tested
      ? servers.find(tested.serverId)
      : ((await servers.of(place.roomId)) ?? (await servers.choose(place.roomId, place.userId)));
    if (!server?.isUp) throw new ApiError('mediaUnavailable');
    const target = new URL(`${CLIENT_PATH}?${passed}`, server.url);
    const tcpPorts = listed.has(server.url) ? env.LIVEKIT_TCP_PORTS : undefined;
    return { ...admitted, url: target, authorization: `Bearer ${token}`, tcpPorts };
  }

  // A client that has ended its side of the connection counts as gone.
  http.onUpgrade(SIGNALLING_PATH + CLIENT_PATH, async (request, socket, head, holdSlot) => {
    try {
      const checked = await check(request);
      if (!socket.readable) return socket.destroy();
      const { place, test, tcpPorts, ...way } = checked;
      const unconnected = holdSlot((test ?? place).userId);
      if (test) running.add(test);
      const filter = place ? await openFilter(place, socket, tcpPorts) : new PairFilter(tcpPorts);
      await relaySignalling({ request, socket, head, ...way }, filter, (fault) =>
        (place ? checks.endVisit(place, fault) : checks.endTest(test)).catch((error: unknown) =>
          logger.error({ err: error }, 'could not end a visit'),
        ),
      );
      // From here on the media server keeps one connection per seat.
      unconnected.release();
    } catch (error) {
      if (error instanceof ApiError) return rejectUpgrade(socket, errors[error.row].status);
      logger.debug({ err: error }, 'signalling was not passed on');
      socket.destroy();
    }
  });

  // The client asks here why a connection was refused.
  const validation = `${SIGNALLING_PATH}${CLIENT_PATH}/validate`;
  http.fastify.get(validation, { schema: { hide: true } }, async (request, reply) => {
    await http.consumeLimit(everythingRate, request);
    await check(request.raw);
    return reply.type('text/plain').send('success');
  });
}

/** Filters of the open connections, which follow every change of a block while their socket is open. */
function createPairFilters({ pairs, rooms }: MediaParts) {
  const open = new Map<UserId, Set<PairFilter>>();
  pairs.onChange((userId, otherId) => {
    const isApart = pairs.of(userId).apart.has(otherId);
    for (const filter of open.get(userId) ?? []) filter.change(otherId, isApart);
  });

  return async (
    { userId, roomId }: Place,
    socket: Duplex,
    tcpPorts?: TcpPorts,
  ): Promise<PairFilter> => {
    pairs.watch(userId);
    socket.once('close', () => pairs.unwatch(userId));
    await pairs.ready(userId);
    const filter = new PairFilter(tcpPorts);
    if (!socket.readable) return filter;
    const filters = open.get(userId) ?? new Set();
    open.set(userId, filters.add(filter));
    socket.once('close', () => {
      filters.delete(filter);
      if (filters.size === 0) open.delete(userId);
    });
    const { apart } = pairs.of(userId);
    if (apart.size === 0) return filter;
    // Only present members matter: a learner with a block is never seated here later.
    for (const seat of (await rooms.findSeats([...apart])).values()) {
      const isApart = pairs.of(userId).apart.has(seat.userId);
      if (seat.roomId === roomId) filter.change(seat.userId, isApart);
    }
    return filter;
  };
}
