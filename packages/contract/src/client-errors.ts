import * as z from 'zod/mini';
import { HOUR_MS } from './durations.ts';
import { route } from './route.ts';

/** The kind of fault. */
const kind = z.enum(['error', 'rejection', 'rendering', 'policy']);
/** Names of JavaScript's own errors; any other is left out. */
const errorTypes = [
  'Error',
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'DOMException',
  'ApiError',
] as const;
/** The kind of source that the content security policy refused, never its address. */
const blocked = z.enum(['inline', 'eval', 'data', 'blob', 'own', 'foreign']);
const browser = z.enum(['Chromium', 'Firefox', 'Safari', 'other']);

/**
 * One fault of a page. No field can hold a learner's text, a page's address or an identity: each is one of a
 * few words, or is made of our own file names.
 */
const ClientError = z.object({
  kind,
  type: z.optional(z.enum(errorTypes)),
  /** File of our build, line and column. */
  place: z.string().check(z.regex(/^assets\/[\w-]{1,60}\.js:\d{1,7}:\d{1,7}$/u)),
  /** Name of the entry file, which every build changes. */
  version: z.string().check(z.regex(/^[\w-]{1,60}$/u)),
  browser,
  /** The violated directive of the content security policy. */
  directive: z.optional(z.string().check(z.regex(/^[a-z-]{1,30}$/u))),
  blocked: z.optional(blocked),
});
export type ClientError = z.infer<typeof ClientError>;

/** Whether this is a name that a report may hold. */
export function isErrorType(name: unknown): name is (typeof errorTypes)[number] {
  return errorTypes.some((type) => type === name);
}

export const reportClientError = route({
  method: 'POST',
  path: '/api/client-errors',
  summary:
    'Reports a fault of a page to the operator: its kind and place in our code, nothing of the learner',
  access: 'open',
  body: ClientError,
  reply: z.object({}),
  errors: [],
  limit: { name: 'clientErrors', max: 20, windowMs: HOUR_MS, per: 'address', networkMax: 200 },
});
