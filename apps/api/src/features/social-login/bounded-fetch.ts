import { readAtMost } from '../../platform/http/index.ts';

/** A provider that takes longer for one answer counts as away; a log-in makes at most two requests. */
const ANSWER_TIMEOUT_MS = 3_000;
/** Larger than any real answer: Google's keys are 2 KB, a profile with all consents about as much. */
const ANSWER_MAX_BYTES = 64 * 1024;

/**
 * Asks a provider: follows no redirect and reads no more than an answer can have.
 * @throws Error for an answer that is late or too large.
 */
export async function boundedFetch(address: string, options: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const response = await fetch(address, {
    ...options,
    redirect: 'manual',
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
  });
  const body = await readAtMost(response, ANSWER_MAX_BYTES);
  const { status, headers } = response;
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
}
