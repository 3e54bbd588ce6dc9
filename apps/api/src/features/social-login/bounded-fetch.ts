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
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > ANSWER_MAX_BYTES) throw new Error('the answer of the provider is too large');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
}
