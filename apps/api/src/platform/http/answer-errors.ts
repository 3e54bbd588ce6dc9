import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorName, errorBody, errors } from '@mogakgong/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../database/index.ts';
import { ApiError } from './api-error.ts';
import { callLanguage } from './language.ts';

/** Failures with a code of Fastify, of a full disk, or of the object storage. */
const knownCodes: Readonly<Record<string, ErrorName>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'tooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupportedMediaType',
  FST_REQ_FILE_TOO_LARGE: 'tooLarge',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupportedMediaType',
  ENOSPC: 'unavailable',
  EDQUOT: 'unavailable',
  OBJECT_STORAGE_AWAY: 'unavailable',
};

interface RawError extends Error {
  readonly code?: string;
  readonly statusCode?: number;
  readonly validation?: unknown;
}

/** The row of the error table for a failure: `unavailable` and `internal` for our own. */
export function rowOf(error: RawError): ErrorName {
  if (error instanceof ApiError) return error.row;
  if (error.validation !== undefined) return 'invalidRequest';
  const known = knownCodes[error.code ?? ''];
  if (known) return known;
  if (isDatabaseUnavailable(error)) return 'unavailable';
  const isClientFault =
    error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
  return isClientFault ? 'invalidRequest' : 'internal';
}

/** The database watch checks twice a second whether it is back. */
const UNAVAILABLE_FOR_S = 2;

/** Sends a row of the error table in the reader's language. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  row: ErrorName,
): FastifyReply {
  if (row === 'unavailable' && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', String(UNAVAILABLE_FOR_S));
  }
  return reply
    .status(errors[row].status)
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(errorBody(row, callLanguage(request.headers)));
}

/** Headers of every response, for responses sent before the hooks that add them. */
const EARLY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** Responds to a malformed address, which no hook has seen. */
export function answerUnroutable(request: FastifyRequest, reply: FastifyReply): void {
  sendError(request, reply.headers(EARLY_HEADERS), 'invalidRequest');
}

const connectionErrors: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
};

/** Responds to data that is not HTTP, or not complete in time, and ends the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  else endWithError(socket, connectionErrors[error.code ?? ''] ?? 'invalidRequest');
}

/** Responds with a row of the error table, and ends the connection without reading on. */
export function endWithError(
  socket: Socket,
  row: ErrorName,
  requestHeaders: IncomingHttpHeaders = {},
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status } = errors[row];
  const body = JSON.stringify(errorBody(row, callLanguage(requestHeaders)));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
    ...EARLY_HEADERS,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // Otherwise Node reads up to 2 MB more before it closes the socket.
  socket.pause();
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}

/** Responds to every failure with its row; the details of unknown ones are only logged. */
export function answerErrors(fastify: FastifyInstance): void {
  fastify.setErrorHandler((error: RawError, request, reply) => {
    const row = rowOf(error);
    // An `ApiError` without a cause is an exceeded limit of ours, not a fault.
    const isFault = !(error instanceof ApiError) || error.cause !== undefined;
    if (errors[row].status >= 500 && isFault) request.log.error({ err: error }, 'request failed');
    if (error instanceof ApiError && error.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfterSeconds))));
    }
    return sendError(request, reply, row);
  });
}
