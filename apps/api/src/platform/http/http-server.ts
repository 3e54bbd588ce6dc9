import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import cookie from '@fastify/cookie';
import { REQUEST_TIMEOUT_MS, type RouteDefinition, type UserId } from '@mogakgong/contract';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { fewAtOnce } from '../batch/index.ts';
import type { Env } from '../env/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Logger } from '../logger/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { traceRequests } from '../traces/index.ts';
import { answerBrokenRequest, answerErrors, answerUnroutable } from './answer-errors.ts';
import { noteAnsweredRequests } from './answered-requests.ts';
import { ApiError } from './api-error.ts';
import type { Authenticate, Caller, FindRole, HasRecentLogIn } from './caller.ts';
import { type Connections, isHostClear, limitConnections, mostConnections } from './connections.ts';
import { serveOpenApi } from './open-api.ts';
import { isHttps } from './own-cookie.ts';
import { type ConsumeLimit, createRateLimits } from './rate-limits.ts';
import { createRequestDrain } from './request-drain.ts';
import { compileValidator } from './schemas.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { type RouteHandler, serveRoute } from './serve-route.ts';
import { createUpgrades, type UpgradeHandler } from './upgrades.ts';

/**
 * Open connections of one network, but for the WebSockets of learners: an IPv4 address, /24 and /16; /64,
 * /56 and /48 of IPv6. One more closes the oldest that is idle, or else the one that is busy longest.
 * RATE_LIMIT_SCALE multiplies them.
 */
const CONNECTIONS_PER_NETWORK = [500, 1_500, 3_000] as const;
/** The largest JSON body the API reads (design §9). */
const JSON_BODY_MAX_BYTES = 16 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

interface HttpServerOptions {
  readonly env: Env;
  readonly logger: Logger;
  readonly authenticate: Authenticate;
  readonly hasRecentLogIn: HasRecentLogIn;
  readonly findRole: FindRole;
  readonly limits: Limits;
  readonly metrics: Metrics | null;
}

/** The HTTP side of the product: features serve their routes on it, realtime parts take upgrades. */
export interface HttpServer {
  readonly fastify: FastifyInstance;
  /** Serves a route of the contract. */
  serve<const R extends RouteDefinition>(route: R, handler: RouteHandler<R>): void;
  /** Hands WebSocket upgrades of a path to a handler. */
  onUpgrade(path: string, handler: UpgradeHandler): void;
  readonly consumeLimit: ConsumeLimit;
  readonly connections: Connections;
  /** Listens on one address of `host`, an IPv4 one if there is one. */
  listen(at: { readonly host: string; readonly port: number }): Promise<void>;
  /** Stops listening and resolves when the requests under way are answered, or after a deadline. */
  drain(): Promise<void>;
}

/** Interval of the check for requests that take too long. */
const CHECK_TIMEOUTS_EVERY_MS = 1_000;
/**
 * Calls of one learner that a process handles at once, so that nobody occupies the pool of database connections
 * alone; forms and pictures have limits of their own (decision 119).
 */
export const CALLS_AT_ONCE = 3;
/** Long enough for a client on a poor network to read on. */
const UNREAD_MS = 30_000;

/** Builds the server with the parts that all routes share; it does not listen yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { TRUST_PROXY: trustProxy, RATE_LIMIT_SCALE: scale, PUBLIC_URL: publicUrl } = options.env;
  const fastify = Fastify({
    loggerInstance: options.logger as unknown as FastifyInstance['log'],
    genReqId: () => randomUUID(),
    // One hop: the address that our own proxy appended. Earlier entries of a client are not trusted.
    trustProxy: trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: JSON_BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_TIMEOUTS_EVERY_MS,
      // Checked below, so that the answer is a row of the error table.
      requireHostHeader: false,
    },
    forceCloseConnections: true,
    frameworkErrors: (_error, request, reply) => answerUnroutable(request, reply),
    clientErrorHandler: answerBrokenRequest,
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance;
  // Only JSON is read (Fastify would take plain text as well).
  fastify.removeContentTypeParser('text/plain');
  fastify.setValidatorCompiler(compileValidator);
  fastify.decorateRequest('caller', null);
  if (options.env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) traceRequests(fastify);
  noteAnsweredRequests(fastify, options);
  const connections = limitConnections(fastify.server, {
    // The scale multiplies the connections that a network may hold.
    perNetwork: trustProxy
      ? undefined
      : CONNECTIONS_PER_NETWORK.map((most) => Math.ceil(most * scale)),
    total: mostConnections(),
    unreadMs: UNREAD_MS,
    logger: options.logger,
  });
  fastify.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  const { track, drain } = createRequestDrain(fastify);
  const inTurn = fewAtOnce<UserId>(CALLS_AT_ONCE);
  answerErrors(fastify);
  await addSecurityHeaders(fastify, isHttps(publicUrl));
  fastify.addHook('onRequest', async (request) => {
    if (!isHostClear(request.raw)) throw new ApiError('invalidRequest');
  });
  await fastify.register(cookie);
  const consumeLimit = createRateLimits(options.limits);
  await serveOpenApi(fastify, consumeLimit);

  const upgrades = createUpgrades(fastify.server, options.env, connections);
  fastify.addHook('preClose', async () => upgrades.destroyAll());
  return {
    fastify,
    consumeLimit,
    serve: (route, handler) =>
      serveRoute({ ...options, fastify, consumeLimit }, route, (context) => {
        const { caller } = context;
        const hasOwnLimit = route.bodyType === 'multipart' || route.replyType === 'image/webp';
        return track(
          caller === null || hasOwnLimit
            ? handler(context)
            : inTurn(caller.userId, () => handler(context)),
        );
      }),
    onUpgrade: upgrades.add,
    connections,
    async listen({ host, port }) {
      // For the name localhost Fastify would open a second server, without our limits on connections.
      const { address } = await lookup(host, { order: 'ipv4first' });
      await fastify.listen({ host: address, port });
    },
    drain,
  };
}
