import type { Readable } from 'node:stream';
import {
  type CallerField,
  everythingRate,
  type RateLimit,
  type RouteDefinition,
  type RouteInput,
  type RouteReply,
} from '@mogakgong/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import {
  type Authenticate,
  bearerOf,
  type Caller,
  type FindRole,
  type HasRecentLogIn,
  type Moderator,
  refuseRestricted,
  toModerator,
} from './caller.ts';
import { acceptForms, type ReceivedBody, withForm } from './forms.ts';
import type { ConsumeLimit } from './rate-limits.ts';
import { compileFormValidator, fastifySchema } from './schemas.ts';

type CallerOf<Access extends RouteDefinition['access']> = Access extends 'open'
  ? null
  : Access extends 'login'
    ? Caller
    : Moderator;

/** The arguments of a handler beside the parts of the request. */
interface RouteContext<R extends RouteDefinition> extends Omit<RouteInput<R>, 'body'> {
  readonly body: ReceivedBody<R>;
  readonly caller: CallerOf<R['access']>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Counts this call against a limit that depends on the outcome of the call. */
  consumeLimit(rate: RateLimit): Promise<void>;
}

/**
 * Answers a route: only translates between HTTP and a service. A reply that can be large is a stream of the
 * declared reply (`sendJsonSlices`).
 */
export type RouteHandler<R extends RouteDefinition> = (
  context: RouteContext<R>,
) => Promise<
  | Readable
  | (R extends { readonly replyType: 'application/zip' | 'image/webp' } ? never : RouteReply<R>)
>;

interface ServeParts {
  readonly fastify: FastifyInstance;
  readonly consumeLimit: ConsumeLimit;
  readonly authenticate: Authenticate;
  readonly hasRecentLogIn: HasRecentLogIn;
  readonly findRole: FindRole;
}

function bearerToken(request: FastifyRequest): string {
  const token = bearerOf(request.headers.authorization);
  if (token === null) throw new ApiError('unauthorized');
  return token;
}

/** A client may name the learner that it acts for, but only its own (design §2). */
function refuseOthers(request: FastifyRequest, fields: readonly CallerField[]): void {
  for (const field of fields) {
    const [part, name] = field.split('.') as ['query' | 'body' | 'params', string];
    const named = (request[part] as Record<string, unknown>)[name];
    if (String(named) !== String(request.caller?.userId)) throw new ApiError('notYourself');
  }
}

/** Registers one route: allowed callers, limit, validation and response. */
export function serveRoute<const R extends RouteDefinition>(
  { fastify, consumeLimit, authenticate, hasRecentLogIn, findRole }: ServeParts,
  route: R,
  handler: RouteHandler<R>,
): void {
  const { access, callerFields = [], limit } = route;
  const isForm = route.bodyType === 'multipart';
  /** At first, and once the body has come: the log-in may have ended meanwhile, or the role. */
  async function admit(request: FastifyRequest): Promise<void> {
    if (access === 'open') return;
    const caller = await authenticate(bearerToken(request));
    refuseRestricted(caller, route.openTo);
    request.caller =
      access === 'login' ? caller : toModerator(caller, await findRole(caller.userId), access);
  }
  const add = (scope: FastifyInstance) =>
    scope.route({
      method: route.method,
      url: route.path,
      config: { isOfContract: true },
      schema: fastifySchema(route),
      // A form is read after its limit was counted, and checked while it is read.
      ...(isForm && { validatorCompiler: compileFormValidator }),
      onRequest: async (request, reply) => {
        // Replies contain personal data or change at any time.
        reply.header('cache-control', 'no-store');
        await consumeLimit(everythingRate, request);
        await admit(request);
      },
      preHandler: async (request) => {
        if (route.body && !isForm) await admit(request);
        refuseOthers(request, callerFields);
        const isTooOld =
          route.recentLogIn && !(request.caller && (await hasRecentLogIn(request.caller)));
        if (isTooOld) throw new ApiError('loginNotRecent');
        if (limit !== undefined && route.limitCounts !== 'some') await consumeLimit(limit, request);
      },
      handler: async (request, reply) => {
        const answer = (body: unknown) =>
          handler({
            params: request.params,
            query: request.query,
            body,
            caller: request.caller,
            request,
            reply,
            consumeLimit: (rate: RateLimit) => consumeLimit(rate, request),
          } as unknown as RouteContext<R>);
        if (route.replyType !== undefined) reply.type(route.replyType);
        if (!isForm) return answer(request.body);
        return withForm(request, Object.keys(route.body?.shape ?? {}), async (body) => {
          await admit(request);
          return answer(body);
        });
      },
    });
  if (!isForm) add(fastify);
  else {
    fastify.register(async (scope) => {
      await acceptForms(scope);
      add(scope);
    });
  }
}
