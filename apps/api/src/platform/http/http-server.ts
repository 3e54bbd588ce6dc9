import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import {
  CONNECTIONS_PER_NETWORK,
  JSON_BODY_MAX_BYTES,
  REQUEST_TIMEOUT_MS,
  type RouteDefinition,
} from '@mogakgong/contract';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Limits } from '../limits/index.ts';
import type { Logger } from '../logger/index.ts';
import { answerBrokenRequest, answerErrors, answerUnroutable } from './answer-errors.ts';
import { ApiError } from './api-error.ts';
import type { Authenticate, Caller, FindRole, HasRecentLogIn } from './caller.ts';
import { type Connections, isHostClear, limitConnections, mostConnections } from './connections.ts';
import { serveOpenApi } from './open-api.ts';
import { type ConsumeLimit, createRateLimits } from './rate-limits.ts';
import { createRequestDrain } from './request-drain.ts';
import { compileValidator } from './schemas.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { type RouteHandler, serveRoute } from './serve-route.ts';
import { createUpgrades, type UpgradeHandler } from './upgrades.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

interface HttpServerOptions {
  readonly logger: Logger;
  readonly authenticate: Authenticate;
  readonly hasRecentLogIn: HasRecentLogIn;
  readonly findRole: FindRole;
  /** The public address of the product, if known. */
  readonly publicUrl: string | undefined;
  readonly trustProxy: boolean;
  readonly limits: Limits;
  /** Multiplies the connections that a network may hold. */
  readonly rateLimitScale: number;
  /** Origins beside our own that pages may connect to: an external media server. */
  readonly connectOrigins: readonly string[];
  /** Whether the product is reached over https. */
  readonly isSecure: boolean;
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
  /** Stops listening and resolves when the requests under way are answered, or after a deadline. */
  drain(): Promise<void>;
}

/** Interval of the check for requests that take too long. */
const CHECK_TIMEOUTS_EVERY_MS = 1_000;
/** Long enough for a client on a poor network to read on. */
const UNREAD_MS = 30_000;

/** Builds the server with the parts that all routes share; it does not listen yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const fastify = Fastify({
    loggerInstance: options.logger as unknown as FastifyInstance['log'],
    genReqId: () => randomUUID(),
    // One hop: the address that our own proxy appended. Earlier entries of a client are not trusted.
    trustProxy: options.trustProxy ? (_address, hop) => hop === 0 : false,
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
  fastify.addHook('onResponse', async (request, reply) => {
    const isRoutine = reply.statusCode < 400 && !request.url.startsWith('/api/');
    const fields = { req: request, res: reply, tookMs: Math.round(reply.elapsedTime) };
    request.log[isRoutine ? 'debug' : 'info'](fields, 'request');
  });
  const connections = limitConnections(fastify.server, {
    perNetwork: options.trustProxy
      ? undefined
      : CONNECTIONS_PER_NETWORK.map((most) => Math.ceil(most * options.rateLimitScale)),
    total: mostConnections(),
    unreadMs: UNREAD_MS,
    logger: options.logger,
  });
  fastify.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  const { track, drain } = createRequestDrain(fastify);
  answerErrors(fastify);
  await addSecurityHeaders(fastify, options);
  fastify.addHook('onRequest', async (request) => {
    if (!isHostClear(request.raw)) throw new ApiError('invalidRequest');
  });
  await fastify.register(cookie);
  const consumeLimit = createRateLimits(options.limits);
  await serveOpenApi(fastify, consumeLimit);

  const upgrades = createUpgrades(fastify.server, { ...options, connections });
  fastify.addHook('preClose', async () => upgrades.destroyAll());
  return {
    fastify,
    consumeLimit,
    serve: (route, handler) =>
      serveRoute({ ...options, fastify, consumeLimit }, route, (context) =>
        track(handler(context)),
      ),
    onUpgrade: upgrades.add,
    connections,
    drain,
  };
}
