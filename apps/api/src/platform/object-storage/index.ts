import { AwsClient } from 'aws4fetch';
import type { Env } from '../env/index.ts';
import { readAtMost } from '../http/index.ts';

/** After this time without an answer the storage counts as away. */
const ANSWER_TIMEOUT_MS = 4_000;
const ERROR_MAX_BYTES = 64 * 1024;

export interface BucketOptions {
  /** The address of the service; the bucket follows in the path, which every service supports. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * The storage cannot be reached, fails or refuses, for example a key that has run out: callers of the API get
 * `unavailable`.
 */
class StorageAwayError extends Error {
  readonly code = 'OBJECT_STORAGE_AWAY';
}

interface Call extends RequestInit {
  /** The parameters after the key, e.g. `?uploads`. */
  readonly query?: string;
  /** Until the answer has arrived; null once it begins, for one that takes as long as it takes. */
  readonly timeoutMs?: number | null;
}

/** A bucket of Amazon S3, or of a compatible service. */
export interface Bucket {
  /** Null for a missing object. @throws for any other answer than a success. */
  ask(key: string, call: Call): Promise<Response | null>;
  /** The body of the answer, within the time of the call. @throws also if it is larger than `maxBytes`. */
  read(key: string, call: Call, maxBytes: number): Promise<Buffer | null>;
}

export function createBucket({ endpoint, bucket, ...account }: BucketOptions): Bucket {
  const client = new AwsClient({ ...account, service: 's3' });
  const root = `${endpoint.replace(/\/$/u, '')}/${bucket}/`;
  const bucketInUse: Bucket = {
    async ask(key, { query = '', timeoutMs = ANSWER_TIMEOUT_MS, ...init }) {
      const begun = new AbortController();
      const timer = setTimeout(() => begun.abort(), ANSWER_TIMEOUT_MS);
      const signal = timeoutMs === null ? begun.signal : AbortSignal.timeout(timeoutMs);
      const send = async () => {
        const { url, headers } = await client.sign(root + key + query, init);
        // Not the signed Request: Node forgets the signal of a Request when it collects garbage.
        return fetch(url, { ...init, headers, redirect: 'error', signal });
      };
      const answer = await send()
        .then(async (first) => {
          if (first.status < 500 && first.status !== 429) return first;
          await first.body?.cancel();
          return send();
        })
        .catch(throwAway)
        .finally(() => clearTimeout(timer));
      if (answer.ok) return answer;
      const text = (await readAtMost(answer, ERROR_MAX_BYTES).catch(throwAway)).toString();
      const [, code = ''] = /<Code>(\w+)<\/Code>/u.exec(text) ?? [];
      if (code === 'NoSuchKey') return null;
      throw new StorageAwayError(`the object storage answers ${answer.status} ${code}`);
    },
    async read(key, call, maxBytes) {
      const answer = await bucketInUse.ask(key, call);
      return answer && readAtMost(answer, maxBytes).catch(throwAway);
    },
  };
  return bucketInUse;
}

function throwAway(cause: unknown): never {
  throw new StorageAwayError('the object storage does not answer', { cause });
}

/** The bucket of the environment, or another one of the same account; null without S3. */
export function bucketOf(env: Env, bucket = env.S3_BUCKET): BucketOptions | null {
  const { S3_ENDPOINT: endpoint, S3_REGION: region } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return endpoint && bucket && accessKeyId && secretAccessKey
    ? { endpoint, region, bucket, accessKeyId, secretAccessKey }
    : null;
}
