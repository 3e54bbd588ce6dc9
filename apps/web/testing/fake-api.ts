import { type ErrorName, errorBody, errors } from '@mogakgong/contract';
import { vi } from 'vitest';

/** The answer of each path: a body, UNAVAILABLE, or a function that makes the whole answer. */
type Answers = Readonly<Record<string, unknown>>;

interface FakeApi {
  /** Changes the answers from now on. */
  readonly answers: Record<string, unknown>;
  /** Method, path and query of every request so far. */
  readonly asked: readonly string[];
  /** The sent bodies, as parsed JSON. */
  readonly sent: readonly { readonly path: string; readonly body: unknown }[];
}

/** A failure of the API: 503 with its text. */
export const UNAVAILABLE = Symbol('unavailable');

/** The API's answer to a call that it refuses. */
export const refusal = (name: ErrorName) =>
  Response.json(errorBody(name, 'ko'), { status: errors[name].status });

/** Answers the browser's requests by path until the end of the test. */
export function startFakeApi(initial: Answers): FakeApi {
  const answers: Record<string, unknown> = { ...initial };
  const asked: string[] = [];
  const sent: { path: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (target: string, init: { method: string; body?: unknown }) => {
    const { pathname, search } = new URL(target, 'http://localhost');
    asked.push(`${init.method} ${pathname}${search}`);
    const given = init.body;
    const parsed = typeof given === 'string' ? JSON.parse(given) : given;
    if (given !== undefined && given !== null) sent.push({ path: pathname, body: parsed });
    const body = answers[pathname];
    if (body === undefined || body === UNAVAILABLE) return refusal('unavailable');
    if (typeof body === 'function') return body();
    if (typeof body === 'string') {
      return new Response(body, { headers: { 'content-type': 'text/csv; charset=utf-8' } });
    }
    return Response.json(body);
  });
  return { answers, asked, sent };
}
