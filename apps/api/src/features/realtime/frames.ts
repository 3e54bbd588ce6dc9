import { type ErrorName, errors, type Language } from '@mogakgong/contract';
import { type Frame, Message, Refusal } from '@mogakgong/stomp';
import type * as z from 'zod/mini';
import { ApiError, rowOf } from '../../platform/http/index.ts';

/** When to retry after a failure of ours; clients wait longer with each (decision 105). */
const RETRY_AFTER_SECONDS = 1;
/** WebSocket close code "try again later". */
const CLOSE_TRY_AGAIN = 1013;

/** A MESSAGE with a JSON body. */
export function jsonMessage(
  messageId: string,
  body: unknown,
  headers: readonly (readonly [name: string, value: string])[] = [],
): Message {
  return new Message({
    messageId,
    contentType: 'application/json',
    headers,
    body: JSON.stringify(body),
  });
}

/**
 * The JSON body of a frame.
 * @throws ApiError `invalidRequest` for a body that `schema` does not accept.
 */
export function readPayload<Payload>({ body }: Frame, schema: z.ZodMiniType<Payload>): Payload {
  try {
    const payload = schema.safeParse(JSON.parse(body.toString('utf8')));
    if (payload.success) return payload.data;
  } catch {
    // Not JSON: refused below, like any value that the schema does not accept.
  }
  throw new ApiError('invalidRequest');
}

/** The ERROR frame of a failure, by its row of the error table, as over HTTP. */
export function refusalOf(failure: Error, language: Language, staysOpen: boolean): Refusal {
  const row = rowOf(failure);
  const known = failure instanceof ApiError ? failure.retryAfterSeconds : undefined;
  const isOurs = errors[row].status >= 500;
  const retryAfterSeconds = known ?? (isOurs ? RETRY_AFTER_SECONDS : undefined);
  return rowRefusal(row, language, staysOpen, retryAfterSeconds);
}

/**
 * A row of the error table as an ERROR frame: its text in the reader's language, its code and name as
 * headers, and the seconds after which to retry, if known.
 */
export function rowRefusal(
  row: ErrorName,
  language: Language,
  staysOpen = true,
  retryAfterSeconds?: number,
): Refusal {
  const { code, status } = errors[row];
  return new Refusal(errors[row][language], {
    staysOpen,
    ...(status >= 500 && { closeCode: CLOSE_TRY_AGAIN }),
    headers: [
      ['error-code', code],
      ['error', row],
      ...(retryAfterSeconds === undefined
        ? []
        : ([['retry-after', String(Math.ceil(retryAfterSeconds))]] as const)),
    ],
  });
}
