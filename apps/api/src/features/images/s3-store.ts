import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { readAtMost } from '../../platform/http/index.ts';
import type { ImageStore } from './image-store.ts';

/** After this time without an answer the storage counts as away. */
const ANSWER_TIMEOUT_MS = 4_000;
/** Larger than any picture that we store, and than any error. */
const ANSWER_MAX_BYTES = 2 * 1024 * 1024;

export interface S3Options {
  /** The address of the service; the bucket follows in the path, which every service supports. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A picture is named by the SHA-256 of its bytes. */
const hashOf = (name: string) => name.replace('.webp', '');

/** Stores pictures in a bucket of Amazon S3, or of a compatible service. */
export function createS3Store({ endpoint, bucket, ...account }: S3Options): ImageStore {
  const client = new AwsClient({ ...account, service: 's3', retries: 1 });
  const folder = `${endpoint.replace(/\/$/u, '')}/${bucket}/images/`;

  /** Null for a missing object. */
  async function ask(name: string, init: RequestInit): Promise<Response | null> {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await client.fetch(folder + name, { ...init, redirect: 'error', signal });
    if (answer.ok) return answer;
    const text = (await readAtMost(answer, ANSWER_MAX_BYTES)).toString();
    const [, code = ''] = /<Code>(\w+)<\/Code>/u.exec(text) ?? [];
    if (code === 'NoSuchKey') return null;
    throw new Error(`the storage of pictures answers ${answer.status} ${code}`);
  }

  return {
    async put(name, bytes) {
      const headers = {
        'content-type': 'image/webp',
        // The service compares it with the received bytes.
        'x-amz-content-sha256': hashOf(name),
      };
      await ask(name, { method: 'PUT', headers, body: Buffer.from(bytes) });
    },
    async get(name) {
      const answer = await ask(name, { method: 'GET' });
      if (answer === null) return null;
      const bytes = await readAtMost(answer, ANSWER_MAX_BYTES);
      const isItself = createHash('sha256').update(bytes).digest('hex') === hashOf(name);
      if (!isItself) throw new Error('the storage of pictures answers another picture');
      return bytes;
    },
    async remove(name) {
      await ask(name, { method: 'DELETE' });
    },
    // A picture appears only once it has arrived completely.
    async removeUnfinished() {},
  };
}
