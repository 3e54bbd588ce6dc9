import { Duplex } from 'node:stream';
import { type App, createApp } from '../../apps/api/src/app.ts';
import { createRedisBackplane, serverOf } from '../../apps/api/src/platform/backplane/index.ts';
import { systemClock } from '../../apps/api/src/platform/clock/index.ts';
import { createDatabase } from '../../apps/api/src/platform/database/index.ts';
import { readEnv } from '../../apps/api/src/platform/env/index.ts';
import { createLimits } from '../../apps/api/src/platform/limits/index.ts';
import { createLogger } from '../../apps/api/src/platform/logger/index.ts';
import { readSiteId } from '../../apps/api/src/platform/site/index.ts';
import { textMessage } from '../chat/connection.ts';
import type { SeatedLearner } from '../support/product.ts';
import { connectFrame, LAST_RECEIPT, subscribeFrames, type Way } from './habits.ts';

const UPGRADE =
  'GET /ws/websocket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Protocol: v12.stomp\r\n\r\n';

/** The end of a connection that the server holds, without a network: what it writes is read here and dropped. */
class MemorySocket extends Duplex {
  readonly remoteAddress: string;
  onText: ((text: string) => void) | undefined;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  override _read(): void {
    // `push` gives what a client sends, whenever it does.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.onText?.(chunk.toString('latin1'));
    done();
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }
}

/** All of the API in this process, with its jobs, on a database and a Redis, but with learners in memory. */
export class MemoryProcess {
  readonly #app: App;
  readonly #close: () => Promise<void>;
  #learners = 0;

  private constructor(app: App, close: () => Promise<void>) {
    this.#app = app;
    this.#close = close;
  }

  /** As `main.ts` does, without listening. */
  static async start(variables: Readonly<Record<string, string>>): Promise<MemoryProcess> {
    const env = readEnv(variables);
    const logger = createLogger('fatal');
    const connection = { connectionString: env.DATABASE_URL };
    const database = createDatabase({ connection, logger, poolSize: env.DATABASE_POOL });
    const redis = { siteId: await readSiteId(database), logger };
    const urls = env.REDIS_URL ?? [];
    const backplane = createRedisBackplane({ ...redis, urls });
    const limits = createLimits({
      scale: env.RATE_LIMIT_SCALE,
      redis: { ...redis, url: serverOf(urls, 'limits') },
    });
    const app = await createApp({
      ...{ env, logger, database, backplane, limits },
      metrics: null,
      clock: systemClock,
      authSecrets: env.AUTH_SECRET,
      webDir: '',
    });
    await app.http.fastify.ready();
    await app.runJob('clock');
    app.startJobs();
    return new MemoryProcess(app, async () => {
      await app.close();
      await backplane.close();
      limits.close();
      await database.destroy();
    });
  }

  /** Resolves when all subscriptions are confirmed. */
  async connect(learner: SeatedLearner): Promise<Way> {
    const place = this.#learners++;
    const socket = new MemorySocket(`10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`);
    const say = (text: string) => void socket.push(textMessage(text));
    await new Promise<void>((resolve, refuse) => {
      const reject = (error: Error) => {
        socket.destroy();
        refuse(error);
      };
      socket.once('close', () => refuse(new Error('the server closed a connection')));
      socket.onText = (text) => {
        if (text.startsWith('HTTP/1.1 101')) say(connectFrame(learner.token));
        if (text.includes('CONNECTED\n')) for (const frame of subscribeFrames) say(frame);
        if (text.includes(LAST_RECEIPT)) resolve();
        if (text.includes('ERROR\n')) reject(new Error(text.slice(0, 300)));
      };
      this.#app.http.fastify.server.emit('connection', socket);
      socket.push(UPGRADE, 'latin1');
    });
    socket.onText = undefined;
    return {
      send: say,
      call: async (method, path, body) => {
        const headers = { authorization: `Bearer ${learner.token}` };
        const given = { method, url: path, headers, remoteAddress: socket.remoteAddress };
        const answer = await this.#app.http.fastify.inject(
          body === undefined ? given : { ...given, payload: body },
        );
        if (answer.statusCode !== 200) {
          throw new Error(`${method} ${path.split('?')[0]}: ${answer.statusCode} ${answer.body}`);
        }
        return answer.json();
      },
      close: () => socket.destroy(),
    };
  }

  close(): Promise<void> {
    return this.#close();
  }
}
