import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface S3DoubleOptions {
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The kind of fault in every response of the double. */
type S3Fault =
  | 'failing'
  | 'silent'
  | 'slow'
  | 'broken off'
  | 'forbidding'
  | 'redirecting'
  | 'huge'
  | 'another picture';

interface Answer {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

/** The signed parts of a request. */
interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signedHeaders: string;
  /** The body's hash, as the request states it. */
  readonly bodyHash: string;
}

const LISTED_AT_ONCE = 1_000;
const CLOCK_SKEW_MS = 15 * 60_000;
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

/** Signature Version 4, as "Authenticating Requests" of the Amazon S3 API reference describes it. */
export function signatureOf(
  request: SignedRequest,
  { secretAccessKey, region }: Pick<S3DoubleOptions, 'secretAccessKey' | 'region'>,
): string {
  const names = request.signedHeaders.split(';');
  const canonicalRequest = [
    request.method,
    request.path,
    request.query,
    ...names.map((name) => `${name}:${request.headers[name]?.trim()}`),
    '',
    request.signedHeaders,
    request.bodyHash,
  ].join('\n');
  const time = request.headers['x-amz-date'] ?? '';
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest)].join('\n');
  const key = ['s3', 'aws4_request'].reduce(
    hmac,
    hmac(hmac(`AWS4${secretAccessKey}`, day), region),
  );
  return hmac(key, text).toString('hex');
}

const CREDENTIALS =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/u;

/** One bucket of Amazon S3 for tests: paths, signatures, responses and errors as in its API reference. */
export class S3Double {
  /** Requests that followed a redirect. */
  followed = 0;
  /** The fault from now on; null for none. */
  fault: S3Fault | null = null;
  readonly objects = new Map<string, { readonly bytes: Buffer; readonly type: string }>();
  /** Multipart uploads that are neither complete nor aborted, by their id. */
  readonly uploads = new Map<string, { readonly key: string; readonly parts: Buffer[] }>();
  readonly #options: S3DoubleOptions;
  readonly #server: Server;

  private constructor(options: S3DoubleOptions) {
    this.#options = options;
    this.#server = createServer(async (request, response) => {
      const bytes = await buffer(request);
      if (this.fault === 'silent') return;
      if (this.fault === 'slow') {
        const timer = setInterval(() => response.write('x'), 100);
        response.on('close', () => clearInterval(timer));
        return;
      }
      if (this.fault === 'broken off') {
        response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy());
        return;
      }
      const { status, body, headers } = this.#answer(request, bytes);
      response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body);
    });
  }

  static async start(options: S3DoubleOptions): Promise<S3Double> {
    const double = new S3Double(options);
    await once(double.#server.listen(0, '127.0.0.1'), 'listening');
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, bytes: Buffer): Answer {
    if (this.fault === 'failing') return refusal(503, 'SlowDown');
    if (this.fault === 'forbidding') return refusal(403, 'ExpiredToken');
    if (this.fault === 'huge') return { status: 200, body: Buffer.alloc(64 * 1024 * 1024) };
    if (this.fault === 'another picture') return { status: 200, body: 'of somebody else' };
    if (request.url === '/elsewhere') {
      this.followed += 1;
      return { status: 200, body: 'of somebody else' };
    }
    if (this.fault === 'redirecting') return { status: 303, headers: { location: '/elsewhere' } };
    const problem = this.#problem(request, bytes);
    if (problem) return refusal(403, problem);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://double');
    const [, bucket, ...rest] = decodeURIComponent(pathname).split('/');
    if (bucket !== this.#options.bucket) return refusal(404, 'NoSuchBucket');
    const key = rest.join('/');
    return (
      this.#list(key, searchParams) ??
      this.#upload(request.method, key, searchParams, bytes) ??
      this.#serve(request, key, bytes)
    );
  }

  /** ListObjectsV2, a thousand at a time, and ListMultipartUploads. */
  #list(key: string, parameters: URLSearchParams): Answer | null {
    if (key !== '') return null;
    const prefix = parameters.get('prefix') ?? '';
    const after = Number(parameters.get('continuation-token') ?? 0);
    const delimiter = parameters.get('delimiter');
    const found = parameters.has('uploads')
      ? [...this.uploads].map(([id, upload]) => ({ id, key: upload.key }))
      : [...this.objects.keys()].map((name) => ({ id: '', key: name }));
    const listed = found.filter(
      (object) =>
        object.key.startsWith(prefix) &&
        !(delimiter && object.key.slice(prefix.length).includes(delimiter)),
    );
    const rows = listed
      .slice(after, after + LISTED_AT_ONCE)
      .map((object) => `<Key>${object.key}</Key><UploadId>${object.id}</UploadId>`);
    const next = after + LISTED_AT_ONCE;
    const more =
      next < listed.length ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
    return { status: 200, body: `<Result>${rows.join('')}${more}</Result>` };
  }

  /** The calls of a multipart upload. */
  #upload(
    method: string | undefined,
    key: string,
    parameters: URLSearchParams,
    bytes: Buffer,
  ): Answer | null {
    if (parameters.has('uploads')) {
      const id = `upload ${this.uploads.size + 1}`;
      this.uploads.set(id, { key, parts: [] });
      return { status: 200, body: `<Result><UploadId>${id}</UploadId></Result>` };
    }
    const id = parameters.get('uploadId');
    if (id === null) return null;
    const upload = this.uploads.get(id);
    if (!upload) return refusal(404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.parts[Number(parameters.get('partNumber')) - 1] = bytes;
      return { status: 200, headers: { etag: '"part"' } };
    }
    this.uploads.delete(id);
    if (method === 'DELETE') return { status: 204 };
    const type = 'binary/octet-stream';
    this.objects.set(key, { bytes: Buffer.concat(upload.parts), type });
    return { status: 200, body: '<Result/>' };
  }

  #serve({ method, headers }: IncomingMessage, key: string, bytes: Buffer): Answer {
    if (method === 'PUT') {
      this.objects.set(key, { bytes, type: headers['content-type'] ?? 'binary/octet-stream' });
      return { status: 200 };
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      return { status: 204 };
    }
    const object = this.objects.get(key);
    if (!object) return refusal(404, 'NoSuchKey');
    return { status: 200, body: object.bytes, headers: { 'content-type': object.type } };
  }

  /** The reason for refusing a request, or null. */
  #problem(request: IncomingMessage, bytes: Buffer): string | null {
    const headers = request.headers as Record<string, string>;
    const [, keyId, region, signedHeaders = '', signature = ''] =
      CREDENTIALS.exec(headers.authorization ?? '') ?? [];
    if (keyId === undefined) return 'AccessDenied';
    if (keyId !== this.#options.accessKeyId) return 'InvalidAccessKeyId';
    if (region !== this.#options.region) return 'AuthorizationHeaderMalformed';
    const sentAt = headers['x-amz-date']?.replace(
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u,
      '$1-$2-$3T$4:$5:$6Z',
    );
    const skewMs = Math.abs(Date.now() - Date.parse(sentAt ?? ''));
    if (!(skewMs < CLOCK_SKEW_MS)) return 'RequestTimeTooSkewed';
    const bodyHash = headers['x-amz-content-sha256'] ?? '';
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const { method = '' } = request;
    const sorted = [...new URLSearchParams(query)]
      .map((pair) => pair.map(encodeURIComponent).join('='))
      .sort()
      .join('&');
    const signed = { method, path, query: sorted, headers, signedHeaders, bodyHash };
    const right = Buffer.from(signatureOf(signed, this.#options));
    if (!timingSafeEqual(right, Buffer.from(signature))) return 'SignatureDoesNotMatch';
    const isBody = bodyHash === 'UNSIGNED-PAYLOAD' || bodyHash === sha256(bytes);
    return isBody ? null : 'XAmzContentSHA256Mismatch';
  }
}

const refusal = (status: number, code: string): Answer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`,
});
