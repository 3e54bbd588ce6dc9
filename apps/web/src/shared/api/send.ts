import {
  REQUEST_TIMEOUT_MS,
  type RouteDefinition,
  type RouteReply,
  type RouteRequest,
} from '@mogakgong/contract';
import { currentLanguage, translate } from '../i18n/texts.ts';
import { ApiError, answeredError } from './api-error.ts';
import { fetchReporting } from './fetch-reporting.ts';

export interface SendOptions {
  /** The text shown when neither the server nor the status has one (specification §8). */
  readonly fallback?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean | undefined;
  /** Time limit of the whole call, instead of REQUEST_TIMEOUT_MS. */
  readonly timeoutMs?: number | undefined;
  /** Reads a reply that is a file. */
  readonly readReply?: ((response: Response) => Promise<File>) | undefined;
  /** Called with the sent share of the body, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

interface RequestParts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * Sends one request of a route, once. Throws `ApiError`: status 0 without an answer within
 * REQUEST_TIMEOUT_MS, else the status and text of the answer.
 */
export async function send<R extends RouteDefinition>(
  route: R,
  request: RouteRequest<R>,
  token: string | null,
  options: SendOptions = {},
): Promise<RouteReply<R>> {
  const parts: RequestParts = request;
  const headers = new Headers({ 'accept-language': currentLanguage() });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  const body = encodedBody(route, parts.body);
  if (typeof body === 'string') headers.set('content-type', 'application/json');
  const timeout = AbortSignal.timeout(options.timeoutMs ?? REQUEST_TIMEOUT_MS);
  const address = requestAddress(route.path, parts);
  const init = {
    method: route.method,
    headers,
    body,
    signal: options.signal ? AbortSignal.any([timeout, options.signal]) : timeout,
    keepalive: options.keepalive ?? false,
  };

  let response: Response;
  try {
    response = await (options.onProgress
      ? fetchReporting(address, init, options.onProgress)
      : fetch(address, init));
  } catch {
    throw new ApiError(translate('call.network'), { status: 0 });
  }
  if (!response.ok) throw await answeredError(response, options.fallback);
  return readReply(route, response, options.readReply);
}

/** The address of a call: path parameters filled in, absent query fields omitted. */
function requestAddress(path: string, { params = {}, query = {} }: RequestParts): string {
  const filled = path.replace(/:(\w+)/gu, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** The header of a form is left to the browser, which chooses the boundary between its fields. */
function encodedBody(
  { bodyType }: RouteDefinition,
  body: RequestParts['body'],
): FormData | string | null {
  if (body === undefined) return null;
  if (bodyType !== 'multipart') return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) form.append(name, value instanceof Blob ? value : String(value));
  }
  return form;
}

/** An answer without a body says that it is done. */
function parsedBody(text: string): unknown {
  return text === '' ? {} : JSON.parse(text);
}

async function readReply<R extends RouteDefinition>(
  route: R,
  response: Response,
  readFile: SendOptions['readReply'],
): Promise<RouteReply<R>> {
  let body: unknown;
  const type = response.headers.get('content-type') ?? '';
  const isText = type.startsWith('text/');
  try {
    // No route replies with HTML: a proxy or a network that asks for a log-in answers for the server.
    if (type.startsWith('text/html')) throw new TypeError('a page');
    if (readFile) body = await readFile(response);
    else body = isText ? await response.text() : parsedBody(await response.text());
  } catch {
    throw new ApiError(translate('call.network'), { status: 0 });
  }
  // The reply does not match the contract: an older page with a newer server.
  const reply = route.reply.safeParse(body);
  if (!reply.success) throw new ApiError(translate('call.unexpected'), { status: response.status });
  return reply.data as RouteReply<R>;
}
