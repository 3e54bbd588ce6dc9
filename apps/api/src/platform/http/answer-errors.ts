import { type ErrorName, errorBody, errors } from '@mogakgong/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../database/index.ts';
import { ApiError } from './api-error.ts';
import { callLanguage } from './language.ts';

/** Failures that Fastify names by a code of its own. */
const knownCodes: Readonly<Record<string, ErrorName>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'tooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupportedMediaType',
  FST_REQ_FILE_TOO_LARGE: 'tooLarge',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupportedMediaType',
};

interface RawError extends Error {
  readonly code?: string;
  readonly statusCode?: number;
  readonly validation?: unknown;
}

function rowOf(error: RawError): ErrorName {
  if (error instanceof ApiError) return error.row;
  if (error.validation !== undefined) return 'invalidRequest';
  const known = knownCodes[error.code ?? ''];
  if (known) return known;
  if (isDatabaseUnavailable(error)) return 'unavailable';
  const isClientFault =
    error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
  return isClientFault ? 'invalidRequest' : 'internal';
}

/** Sends a row of the error table in the reader's language. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  row: ErrorName,
): FastifyReply {
  return reply
    .status(errors[row].status)
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(errorBody(row, callLanguage(request.headers)));
}

/** Answers every failure with its row; what is unknown is described in the log only. */
export function answerErrors(fastify: FastifyInstance): void {
  fastify.setErrorHandler((error: RawError, request, reply) => {
    const row = rowOf(error);
    if (errors[row].status >= 500) request.log.error({ err: error }, 'request failed');
    if (error instanceof ApiError && error.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfterSeconds))));
    }
    return sendError(request, reply, row);
  });
}
