import type { RouteDefinition } from '@mogakgong/contract';
import { commonErrors, errors } from '@mogakgong/contract';
import { Ajv } from 'ajv';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import * as z from 'zod/mini';

type JsonSchema = Record<string, unknown>;

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io }) as JsonSchema;
  return rest;
}

const errorBodySchema = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    error: { type: 'string' },
    errorCode: { type: 'string' },
  },
  required: ['message', 'error', 'errorCode'],
} as const;

/** One reply schema per status; the errors of a status are listed by name and code. */
function errorReplies(route: RouteDefinition): Record<string, JsonSchema> {
  const replies: Record<string, JsonSchema> = {};
  const ofBody = route.body ? (['unsupportedMediaType'] as const) : [];
  for (const name of new Set([...route.errors, ...ofBody, ...commonErrors])) {
    const { status, code, ko } = errors[name];
    const line = `${name} (${code}): ${ko}`;
    const earlier = replies[status]?.description;
    replies[status] = { ...errorBodySchema, description: earlier ? `${earlier}\n\n${line}` : line };
  }
  return replies;
}

function replySchema({ reply, replyType }: RouteDefinition): JsonSchema {
  if (replyType === undefined) return jsonSchema(reply, 'output');
  const isText = replyType.startsWith('text/');
  return {
    content: { [replyType]: { schema: { type: 'string', ...(!isText && { format: 'binary' }) } } },
  };
}

/** The schemas with which Fastify validates, serialises and documents a route. */
export function fastifySchema(route: RouteDefinition): FastifySchema {
  return {
    summary: route.summary,
    tags: [route.path.split('/')[2] ?? ''],
    ...(route.params && { params: jsonSchema(route.params, 'input') }),
    ...(route.query && { querystring: jsonSchema(route.query, 'input') }),
    ...(route.body && { body: jsonSchema(route.body, 'input') }),
    ...(route.bodyType === 'multipart' && { consumes: ['multipart/form-data'] }),
    ...(route.access !== 'open' && { security: [{ accessToken: [] }] }),
    response: {
      200: { description: 'Done', ...replySchema(route) },
      ...errorReplies(route),
    },
  } as FastifySchema;
}

const shared = {
  useDefaults: true,
  removeAdditional: 'all',
  allErrors: false,
  strict: false,
} as const;
/** JSON bodies have types; a number in quotes is a mistake there. */
const bodyAjv = new Ajv({ ...shared, coerceTypes: false });
/** Paths and queries are always text. A repeated parameter becomes a list and fits no type. */
const textAjv = new Ajv({ ...shared, coerceTypes: true });

/** PostgreSQL cannot store NUL in a text, and none of our texts needs it. */
function containsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(containsNul);
}

/** Drops unknown fields, so that a handler never sees a field outside the contract. */
export const compileValidator: FastifySchemaCompiler<JsonSchema> = ({ schema, httpPart }) => {
  const validate = (httpPart === 'body' ? bodyAjv : textAjv).compile(schema);
  return (data) => {
    if (!validate(data)) return { error: validationError(validate.errors) };
    return containsNul(data) ? { error: validationError([]) } : { value: data };
  };
};

/** A form is checked while it is read; the rest of its request as usual. */
export const compileFormValidator: FastifySchemaCompiler<FastifySchema> = (part) =>
  part.httpPart === 'body'
    ? () => true
    : compileValidator(part as Parameters<typeof compileValidator>[0]);

function validationError(found: unknown): Error {
  return Object.assign(new Error('the request does not fit its schema'), {
    validation: found,
    statusCode: 400,
  });
}
