import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { PushMessage } from '@mogakgong/contract';
import { importJWK, jwtVerify } from 'jose';

/** The answer of the double: success, a gone subscription, a refusal, a request for a pause, or none at all. */
export type PushAnswer = 201 | 403 | 410 | 429 | 'none';

/** A browser with a subscription at the double. */
export interface SubscribedBrowser {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  /** The messages that it has received, decrypted. */
  readonly received: PushMessage[];
  /** Their bytes, as the push service saw them. */
  readonly lengths: number[];
  /** The topic of each: a later message takes the place of an earlier one with the same. */
  readonly topics: string[];
}

interface Subscription extends SubscribedBrowser {
  readonly keys: ECDH;
  /** The only key of an application server from which the push service takes messages for it. */
  readonly serverKey: string;
}

/** RFC 8188, 2.1: salt, size of a record, length of the key, the key. */
function openBody(body: Buffer, { keys, auth }: Subscription): PushMessage {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const derive = (secret: Buffer, from: Buffer, info: string | Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length));
  // RFC 8291, 3.4.
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey]);
  const shared = keys.computeSecret(senderKey);
  const secret = derive(shared, Buffer.from(auth, 'base64url'), info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const record = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // The last record ends with 2, then zeros.
  return JSON.parse(record.subarray(0, record.lastIndexOf(2)).toString()) as PushMessage;
}

/** RFC 8292: a signed token of at most a day for this service, by the key of the subscription. */
async function isSigned(header: string, origin: string, serverKey: string): Promise<boolean> {
  const { token = '', key = '' } =
    /^vapid t=(?<token>[^,]+), ?k=(?<key>\S+)$/u.exec(header)?.groups ?? {};
  if (key !== serverKey) return false;
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString('base64url'),
  );
  const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256');
  const { payload } = await jwtVerify(token, publicKey, { audience: origin });
  const leftSeconds = (payload.exp ?? Number.POSITIVE_INFINITY) - Date.now() / 1_000;
  return leftSeconds <= 24 * 60 * 60 && /^(?:mailto|https):/u.test(payload.sub ?? '');
}

/** A push service on this machine, which follows RFC 8030, 8188, 8291 and 8292. */
export async function startPushService() {
  const subscriptions = new Map<string, Subscription>();
  let answer: PushAnswer = 201;
  let [asked, underWay, most] = [0, 0, 0];

  /** The status of an answer; null for none. */
  async function take(request: IncomingMessage): Promise<number | null> {
    const body = await buffer(request);
    const subscription = subscriptions.get(request.url ?? '');
    if (!subscription) return 404;
    if (answer === 'none') return null;
    if (answer !== 201) return answer;
    const { authorization = '', 'content-encoding': encoding } = request.headers;
    if (!(await isSigned(authorization, origin, subscription.serverKey))) return 401;
    if (
      encoding !== 'aes128gcm' ||
      !/^\d+$/u.test(String(request.headers.ttl)) ||
      body.length > 4_096
    )
      return 400;
    subscription.lengths.push(body.length);
    subscription.topics.push(String(request.headers.topic));
    subscription.received.push(openBody(body, subscription));
    return 201;
  }

  const server = createServer(async (request, response) => {
    asked += 1;
    underWay += 1;
    most = Math.max(most, underWay);
    response.once('close', () => {
      underWay -= 1;
    });
    const status = await take(request).catch(() => 400);
    if (status === null) return;
    response.writeHead(status, status === 429 ? { 'retry-after': '1' } : {}).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    /** Requests so far, and the most at the same time. */
    figures: () => ({ asked, most }),
    answerWith: (next: PushAnswer) => {
      answer = next;
    },
    subscribe(serverKey: string): SubscribedBrowser {
      const keys = createECDH('prime256v1');
      const path = `/push/${randomBytes(12).toString('hex')}`;
      const subscription = {
        endpoint: origin + path,
        p256dh: keys.generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
        received: [],
        lengths: [],
        topics: [],
        keys,
        serverKey,
      };
      subscriptions.set(path, subscription);
      return subscription;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type PushServiceDouble = Awaited<ReturnType<typeof startPushService>>;
