import {
  type ErrorBody,
  type ErrorName,
  type PageErrorName,
  pageErrors,
} from '@mogakgong/contract';
import { currentLanguage, translate } from '../i18n/texts.ts';

/** A failed call: `message` is a text for the learner, in the page's language. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when no answer came (no network, timeout). */
  readonly status: number;
  /** The body's `errorCode`, or null without one. */
  readonly code: string | null;
  /** The name in the error table, or null without one. */
  readonly errorName: ErrorName | null;
  /** How long to wait before asking again (`Retry-After`); 0 without one. */
  readonly retryAfterMs: number;
  /** The answer itself, for calls that choose their text differently; no `statusText` over HTTP/2. */
  readonly answer: Partial<ErrorBody> & { readonly statusText?: string };

  constructor(
    message: string,
    parts: Pick<ApiError, 'status'> & Partial<Omit<ApiError, keyof Error>>,
  ) {
    super(message);
    this.status = parts.status;
    this.code = parts.code ?? null;
    this.errorName = parts.errorName ?? null;
    this.retryAfterMs = parts.retryAfterMs ?? 0;
    this.answer = parts.answer ?? {};
  }
}

/** The text of an error of the table, in the page's language. */
export function tableText(name: PageErrorName): string {
  return pageErrors[name][currentLanguage()];
}

/** A permanent refusal: the error table's name (if known) and its text. */
export interface Refusal {
  readonly errorName: string | null;
  readonly message: string;
}

/**
 * For the `catch` of a call: these errors are its result, with a text for the learner; any other is thrown
 * again.
 */
export function asRefusal(
  ...reasons: readonly ErrorName[]
): (error: unknown) => { readonly refused: ErrorName; readonly text: string } {
  return (error) => {
    const name = error instanceof ApiError ? error.errorName : null;
    if (name === null || !reasons.includes(name)) throw error;
    return { refused: name, text: messageOf(error) };
  };
}

/** No answer, or a temporary one: a slow connection, too many calls, a server that stops or has no database. */
const PASSING = [0, 408, 429, 502, 503, 504];

/** Whether the same call may succeed later: it waits and is sent again (decision 090). */
export function isPassing(error: unknown): error is ApiError {
  return error instanceof ApiError && PASSING.includes(error.status);
}

/** The text of any thrown value for the learner; `fallback` where it is no answer of the API. */
export function messageOf(error: unknown, fallback = translate('call.unexpected')): string {
  return error instanceof ApiError ? error.message : fallback;
}

/**
 * The text of a failed timer or report call (specification §8): the server's message, else its error
 * text, else the text of the HTTP status, else `fallback`. 500 and no answer keep their own texts.
 */
export function detailedErrorText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.status === 0 || error.status === 500) return error.message;
  const { message, error: name, statusText } = error.answer;
  return [message, name, statusText].find(isText) ?? fallback;
}

/** The code of `userNotFound`, as the specification names it (§8). */
const USER_LOOKUP_FAILED = 'U001';

/** The text of a failed timer or report call; null for a user lookup, which is only logged. */
export function shownErrorText(error: unknown): string | null {
  if (!(error instanceof ApiError && error.code === USER_LOOKUP_FAILED)) {
    return detailedErrorText(error, translate('call.failed'));
  }
  // biome-ignore lint/suspicious/noConsole: specification §8 wants this one in the log and nowhere else
  console.warn(error.message);
  return null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** A longer text of the server is cut: a toast has room for a few sentences. */
const BODY_TEXT_MAX_LENGTH = 200;

/** The error in an answer's body, read tolerantly: JSON as in the contract, or text; a page is no text. */
async function readErrorBody(response: Response): Promise<Partial<ErrorBody>> {
  const contentType = response.headers.get('content-type') ?? '';
  if (contentType.includes('json')) {
    const body: unknown = await response.json().catch(() => null);
    if (typeof body === 'string') return textBody(body);
    return typeof body === 'object' && body !== null ? body : {};
  }
  if (!contentType.startsWith('text/plain')) return {};
  return textBody(await response.text().catch(() => ''));
}

/** The error in a body that is a text, which is its message (specification §8). */
function textBody(text: string): Partial<ErrorBody> {
  const isLong = text.length > BODY_TEXT_MAX_LENGTH;
  return { message: isLong ? `${text.slice(0, BODY_TEXT_MAX_LENGTH)}…` : text };
}

/**
 * The text of a failed answer (specification §8): 500 always its own text, else the server's
 * message, else the text of the status, else the call's own fallback.
 */
function errorText(status: number, message?: string, fallback?: string): string {
  if (status === 500) return tableText('internal');
  if (isText(message)) return message;
  if (status === 400) return tableText('invalidRequest');
  if (status === 401) return tableText('unauthorized');
  if (status === 409) return tableText('conflict');
  return fallback ?? tableText('unavailable');
}

/** Builds the error of an unsuccessful answer. */
export async function answeredError(
  response: Response,
  fallback: string | undefined,
): Promise<ApiError> {
  const body = await readErrorBody(response);
  const name = body.error;
  return new ApiError(errorText(response.status, body.message, fallback), {
    status: response.status,
    code: body.errorCode ?? null,
    // Properties of `Object.prototype` would be found in every table of names.
    errorName: name === undefined || name in Object.prototype ? null : name,
    // In seconds; a date, which only a proxy writes, counts as none.
    retryAfterMs: (Number(response.headers.get('retry-after')) || 0) * 1_000,
    answer: { ...body, statusText: response.statusText },
  });
}
