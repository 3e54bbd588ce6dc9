import type * as z from 'zod/mini';
import type { ErrorName } from './errors.ts';
import type { LimitName } from './limits.ts';

type ObjectSchema = z.ZodMiniObject<Readonly<Record<string, z.ZodMiniType>>>;

/**
 * Who may call a route: everybody; only somebody with a valid access token; of those only moderators and
 * admins; only admins.
 */
type Access = 'open' | 'login' | 'moderator' | 'admin';

/**
 * Why an account may use a few routes only: its deletion is planned, legal texts need a new consent, or it
 * is suspended or banned.
 */
export type Restriction = 'leaving' | 'consents' | 'suspended';

/** A field of the request that names a learner and must name the caller. */
export type CallerField = `${'query' | 'body' | 'params'}.${string}`;

/**
 * One HTTP route, declared once: the API validates, serves and documents it, the browser calls it.
 * A request part that is left out is not accepted.
 */
export interface RouteDefinition {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Fastify's notation: `/api/titles/:userId/list`. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly access: Access;
  /**
   * Only for callers who have shown who they are within RECENT_LOGIN_SECONDS, by a log-in or by
   * `reauthenticate`: anybody else is 403 `loginNotRecent` (ASVS 5.0, 7.5.1).
   */
  readonly recentLogIn?: true;
  /** The restricted accounts that may call it, too: to others of them it is 403. */
  readonly openTo?: readonly Restriction[];
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly body?: ObjectSchema;
  /** How the body is sent: JSON unless given. Every field of `multipart` is a file. */
  readonly bodyType?: 'multipart';
  readonly reply: z.ZodMiniType;
  /**
   * What the reply is, where it is a file and not JSON. Bytes are a stream at the server and a `Blob` in
   * the browser.
   */
  readonly replyType?: 'application/zip' | 'image/webp' | 'text/csv; charset=utf-8';
  /** The errors this route answers beside those that every route can (see `commonErrors`). */
  readonly errors: readonly ErrorName[];
  /** The rate limit that counts calls of this route. */
  readonly limit?: LimitName;
  /** `some`: only calls that the handler counts, by their outcome. Otherwise every call. */
  readonly limitCounts?: 'some';
  /** Fields that must equal the caller's own id: anything else is 403 `notYourself`. */
  readonly callerFields?: readonly CallerField[];
}

/**
 * Declares a route and keeps the literal types of its parts.
 * A page that uses none of a route downloads none of it:
 * @__NO_SIDE_EFFECTS__
 */
export function route<const Definition extends RouteDefinition>(
  definition: Definition,
): Definition {
  return definition;
}

type PartOutput<Part> = Part extends z.ZodMiniType ? z.output<Part> : undefined;
type PartInput<Part> = Part extends z.ZodMiniType ? z.input<Part> : undefined;

/** What a handler receives: the validated parts of the request. */
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

/** What a caller sends: exactly the parts that the route declares. */
export type RouteRequest<R extends RouteDefinition> = {
  [Part in keyof RequestParts<R> as undefined extends RequestParts<R>[Part]
    ? never
    : Part]: RequestParts<R>[Part];
};

/** What a route answers with on success. */
export type RouteReply<R extends RouteDefinition> = z.output<R['reply']>;
