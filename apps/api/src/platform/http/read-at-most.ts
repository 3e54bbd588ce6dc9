/**
 * The body of another server's response.
 * @throws Error if it is larger than `maxBytes`; the rest is not read.
 */
export async function readAtMost(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error('the answer of another server is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
