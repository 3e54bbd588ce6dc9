import multipart from '@fastify/multipart';
import {
  IMAGE_MAX_BYTES,
  type RouteDefinition,
  type RouteInput,
  type UserId,
} from '@mogakgong/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

/** Forms that one process reads or handles at once: each holds its file in memory. */
const FORMS_AT_ONCE = 8;

/** Fields beside the file that a client may send; we read none. */
const FIELDS_MAX = 10;

/** The body that a handler receives: the files of a form as bytes. */
export type ReceivedBody<R extends RouteDefinition> = R extends { readonly bodyType: 'multipart' }
  ? { readonly [Field in keyof RouteInput<R>['body']]: Buffer }
  : RouteInput<R>['body'];

/** Lets the routes of one scope receive forms. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, {
    limits: {
      files: 1,
      fileSize: IMAGE_MAX_BYTES,
      fields: FIELDS_MAX,
      fieldSize: 1_000,
      parts: FIELDS_MAX + 1,
      headerPairs: 20,
    },
  });
}

/** Per learner, so that slow uploads of one leave slots for the others; one while half of all slots are taken. */
const FORMS_OF_A_LEARNER = 2;

/** A form that takes longer to arrive loses its slot to a new one, so that slow uploads of several do not either. */
const SLOW_FORM_MS = 3_000;

interface Form {
  readonly userId: UserId | undefined;
  readonly beganAtMs: number;
  readonly request: FastifyRequest;
  hasArrived: boolean;
}

/** The current forms, oldest first. */
const underWay = new Set<Form>();

/**
 * Receives a form of files only, and answers it.
 * @throws ApiError `invalidRequest` unless each field is present once, `tooManyRequests` or `unavailable`
 *   while the process handles the maximum number of forms of this learner, or of all.
 */
export async function withForm<Reply>(
  request: FastifyRequest,
  fields: readonly string[],
  answer: (body: Readonly<Record<string, Buffer>>) => Promise<Reply>,
): Promise<Reply> {
  const userId = request.caller?.userId;
  const own = [...underWay].filter((other) => other.userId === userId).length;
  const most = underWay.size < FORMS_AT_ONCE / 2 ? FORMS_OF_A_LEARNER : 1;
  if (own >= most) throw new ApiError('tooManyRequests', { retryAfterSeconds: 1 });
  if (underWay.size >= FORMS_AT_ONCE) endSlowForm();
  const form = { userId, beganAtMs: performance.now(), request, hasArrived: false };
  underWay.add(form);
  try {
    const body = await receive(request, fields);
    form.hasArrived = true;
    return await answer(body);
  } finally {
    underWay.delete(form);
  }
}

/** @throws ApiError `unavailable` if none is slow. */
function endSlowForm(): void {
  const slowSinceMs = performance.now() - SLOW_FORM_MS;
  const slow = [...underWay].find((form) => !form.hasArrived && form.beganAtMs < slowSinceMs);
  if (!slow) throw new ApiError('unavailable', { retryAfterSeconds: 1 });
  underWay.delete(slow);
  slow.request.raw.destroy();
}

async function receive(request: FastifyRequest, fields: readonly string[]) {
  const files: Record<string, Buffer> = {};
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      if (fields.includes(part.fieldname)) files[part.fieldname] = await part.toBuffer();
      else part.file.resume();
    }
  } catch (error) {
    // The parser goes on with a form that it refuses: with parts of four bytes ten seconds for 5 MB.
    request.raw.unpipe();
    request.raw.resume();
    // The parser's error for a truncated form has no status.
    const isNamed = error instanceof Error && 'statusCode' in error;
    throw isNamed ? error : new ApiError('invalidRequest', { cause: error });
  }
  if (fields.some((name) => !files[name]?.length)) throw new ApiError('invalidRequest');
  return files;
}
