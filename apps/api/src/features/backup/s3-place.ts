import { type BucketOptions, createBucket } from '../../platform/object-storage/index.ts';
import { isArchive } from './names.ts';
import type { Place } from './place.ts';

/** A multipart upload has at most 10,000 parts, so an archive at most 160 GB (limits of the Amazon S3 user guide). */
const PART_BYTES = 16 * 1024 * 1024;
const PART_TIMEOUT_MS = 120_000;
const LIST_MAX_BYTES = 4 * 1024 * 1024;

const textsOf = (xml: string, tag: string) =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'gu'))].map(([, text = '']) => text);

/** Collects bytes into parts of one size; the last one may be smaller. */
async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    size = 0;
  }
  yield Buffer.concat(chunks);
}

/** Backups in a bucket, below `folder` (empty, or with a slash at its end). */
export function createS3Place(options: BucketOptions, folder: string): Place {
  const bucket = createBucket(options);

  async function askText(key: string, method: string, query: string, body?: string) {
    const call = { method, query, timeoutMs: PART_TIMEOUT_MS, ...(body !== undefined && { body }) };
    const text = (await bucket.read(key, call, LIST_MAX_BYTES))?.toString() ?? '';
    // Completing an upload can fail after its status was sent.
    const [code] = text.includes('<Error>') ? textsOf(text, 'Code') : [];
    if (code) throw new Error(`the object storage answers ${code}`);
    return text;
  }

  const abort = (key: string, id: string) =>
    askText(key, 'DELETE', `?uploadId=${encodeURIComponent(id)}`);

  async function uploadParts(key: string, upload: string, bytes: AsyncIterable<Uint8Array>) {
    let parts = '';
    let number = 0;
    for await (const body of inParts(bytes)) {
      number += 1;
      const query = `?partNumber=${number}&uploadId=${upload}`;
      const call = { method: 'PUT', query, body: new Uint8Array(body), timeoutMs: PART_TIMEOUT_MS };
      const answer = await bucket.ask(key, call);
      const tag = answer?.headers.get('etag') ?? '';
      parts += `<Part><PartNumber>${number}</PartNumber><ETag>${tag}</ETag></Part>`;
    }
    return `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`;
  }

  return {
    about: `s3://${options.bucket}/${folder}`,
    async write(name, bytes) {
      const key = folder + name;
      const [id = ''] = textsOf(await askText(key, 'POST', '?uploads'), 'UploadId');
      const upload = encodeURIComponent(id);
      try {
        const parts = await uploadParts(key, upload, bytes);
        await askText(key, 'POST', `?uploadId=${upload}`, parts);
      } catch (error) {
        // The next backup removes it otherwise.
        await abort(key, id).catch(() => undefined);
        throw error;
      }
    },
    async writeText(name, text) {
      await askText(folder + name, 'PUT', '', text);
    },
    async read(name) {
      const answer = await bucket.ask(folder + name, { method: 'GET', timeoutMs: null });
      return answer?.body ?? null;
    },
    async list() {
      const names: string[] = [];
      let next: string | undefined;
      do {
        const after = next === undefined ? '' : `&continuation-token=${encodeURIComponent(next)}`;
        const query = `?list-type=2&delimiter=%2F&prefix=${encodeURIComponent(folder)}${after}`;
        const xml = await askText('', 'GET', query);
        names.push(...textsOf(xml, 'Key').map((key) => key.slice(folder.length)));
        [next] = textsOf(xml, 'NextContinuationToken');
      } while (next !== undefined);
      return names;
    },
    async remove(name) {
      await bucket.ask(folder + name, { method: 'DELETE' });
    },
    async removeUnfinished() {
      const xml = await askText('', 'GET', `?uploads&prefix=${encodeURIComponent(folder)}`);
      const ids = textsOf(xml, 'UploadId');
      for (const [index, key] of textsOf(xml, 'Key').entries()) {
        // Another program may use the bucket as well.
        if (isArchive(key.slice(folder.length))) await abort(key, ids[index] ?? '');
      }
    },
  };
}
