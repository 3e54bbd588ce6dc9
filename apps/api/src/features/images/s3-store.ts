import { AwsClient } from 'aws4fetch';
import type { ImageStore } from './image-store.ts';

/** Storage that does not answer for so long is away. */
const ANSWER_TIMEOUT_MS = 4_000;

export interface S3Options {
  /** The address of the service; the bucket follows in the path, which every service understands. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Keeps pictures in a bucket of Amazon S3, or of a service that speaks like it. */
export function createS3Store({ endpoint, bucket, ...account }: S3Options): ImageStore {
  const client = new AwsClient({ ...account, service: 's3', retries: 1 });
  const folder = `${endpoint.replace(/\/$/u, '')}/${bucket}/images/`;

  /** Null for what is not there. */
  async function ask(name: string, init: RequestInit): Promise<Response | null> {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await client.fetch(folder + name, { ...init, redirect: 'error', signal });
    if (answer.ok) return answer;
    const [, code = ''] = /<Code>(\w+)<\/Code>/u.exec(await answer.text()) ?? [];
    if (code === 'NoSuchKey') return null;
    throw new Error(`the storage of pictures answers ${answer.status} ${code}`);
  }

  return {
    async put(name, bytes) {
      const headers = {
        'content-type': 'image/webp',
        // A picture is named by its hash: the service compares it with what arrives.
        'x-amz-content-sha256': name.replace('.webp', ''),
      };
      await ask(name, { method: 'PUT', headers, body: Buffer.from(bytes) });
    },
    async get(name) {
      const answer = await ask(name, { method: 'GET' });
      return answer && Buffer.from(await answer.arrayBuffer());
    },
    async remove(name) {
      await ask(name, { method: 'DELETE' });
    },
    // A picture is there when the whole of it has arrived.
    async removeUnfinished() {},
  };
}
