import * as z from 'zod/mini';
import type { ErrorName } from './errors.ts';
import type { RateLimit } from './limits.ts';

type ObjectSchema = z.ZodMiniObject<Readonly<Record<string, z.ZodMiniType>>>;

/**
 * Callers that a route accepts: everybody; holders of a valid access token; moderators and admins; admins.
 */
type Access = 'open' | 'login' | 'moderator' | 'admin';

/**
 * Restricts an account to a few routes: its deletion is planned, legal texts need a new consent, or it is
 * suspended or banned.
 */
export type Restriction = 'leaving' | 'consents' | 'suspended';

/** A field of the request that must name the caller. */
export type CallerField = `${'query' | 'body' | 'params'}.${string}`;

/**
 * One HTTP route, declared once: the API validates, serves and documents it, the browser calls it. A request
 * part that is not declared is not accepted.
 */
export interface RouteDefinition {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Fastify's notation: `/api/titles/:userId/list`. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly access: Access;
  /**
   * Only for callers who logged in or called `reauthenticate` within RECENT_LOGIN_SECONDS: all others get 403
   * `loginNotRecent` (ASVS 5.0, 7.5.1).
   */
  readonly recentLogIn?: true;
  /** Restricted accounts that may call it as well; other restricted ones get 403. */
  readonly openTo?: readonly Restriction[];
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly body?: ObjectSchema;
  /** How the body is sent: JSON unless given. Every field of `multipart` is a file. */
  readonly bodyType?: 'multipart';
  readonly reply: z.ZodMiniType;
  /**
   * The type of a reply that is a file instead of JSON. Bytes are a stream at the server and a `Blob` in the
   * browser.
   */
  readonly replyType?:
    | 'application/zip'
    | 'image/webp'
    | 'text/calendar; charset=utf-8'
    | 'text/csv; charset=utf-8';
  /** The route's errors, without those of every route (see `commonErrors`). */
  readonly errors: readonly ErrorName[];
  /** The rate limit that counts calls of this route. */
  readonly limit?: RateLimit;
  /** `some`: the handler decides by the outcome which calls count. Otherwise every call does. */
  readonly limitCounts?: 'some';
  /** Fields that must equal the caller's own id; otherwise the reply is 403 `notYourself`. */
  readonly callerFields?: readonly CallerField[];
}

/**
 * Declares a route and keeps the literal types of its parts. The annotation lets bundlers drop unused routes:
 * @__NO_SIDE_EFFECTS__
 */
export function route<const Definition extends RouteDefinition>(
  definition: Definition,
): Definition {
  return definition;
}

/**
 * The reply of a route that the browser also reads in other shapes: `read` turns an answer into the input of
 * `reply`, which is what our API sends and documents. @__NO_SIDE_EFFECTS__
 */
export function alsoReads<Reply extends z.ZodMiniType>(
  reply: Reply,
  read: (answer: unknown) => unknown,
): z.ZodMiniType<z.output<Reply>> {
  return z.pipe(z.transform(read), reply as z.ZodMiniType<z.output<Reply>, unknown>);
}

/**
 * An answer without our additions to the specification (§3): absent fields have their value in `additions`.
 */
export function withAdditions(answer: unknown, additions: object): unknown {
  const isObject = typeof answer === 'object' && answer !== null;
  return isObject ? { ...additions, ...answer } : answer;
}

type PartOutput<Part> = Part extends z.ZodMiniType ? z.output<Part> : undefined;
type PartInput<Part> = Part extends z.ZodMiniType ? z.input<Part> : undefined;

/** The validated parts of the request, as a handler receives them. */
export interface RouteInput<R extends RouteDefinition> {
  readonly params: PartOutput<R['params']>;
  readonly query: PartOutput<R['query']>;
  readonly body: PartOutput<R['body']>;
}

type RequestParts<R extends RouteDefinition> = {
  params: PartInput<R['params']>;
  query: PartInput<R['query']>;
  body: PartInput<R['body']>;
};

/** The parts of a request that the route declares. */
export type RouteRequest<R extends RouteDefinition> = {
  [Part in keyof RequestParts<R> as undefined extends RequestParts<R>[Part]
    ? never
    : Part]: RequestParts<R>[Part];
};

/** The reply of a route on success. */
export type RouteReply<R extends RouteDefinition> = z.output<R['reply']>;
