import path from 'node:path';
import { type RedisServer, startRedis } from '../../test/redis-server.ts';
import { type Generator, startGenerator } from '../support/generator.ts';
import {
  type Api,
  createTokenMaker,
  newSecret,
  type RunDatabase,
  type SeatedLearner,
  seatLearners,
  startApi,
  startDatabase,
} from '../support/product.ts';
import type { Done } from './habits.ts';
import type { LearnersRequest } from './learners.ts';

const LEARNERS_FILE = path.join(import.meta.dirname, 'learners.ts');
/** Seated by one statement, within the time that the API gives one. */
const ROOMS_AT_ONCE = 250;

export type Learners = Generator<LearnersRequest>;

/** A database with full rooms, a Redis, and what API processes need to serve them. */
export interface SeatedSite {
  readonly database: RunDatabase;
  readonly redis: RedisServer;
  /** In the order of their rooms. */
  readonly learners: readonly SeatedLearner[];
  readonly env: Readonly<Record<string, string>>;
  startApi(name: string): Promise<Api>;
  /** The learners with new tokens. */
  renewLearners(): Promise<SeatedLearner[]>;
  /** A process that plays learners. */
  startLearners(): Learners;
  stop(): Promise<void>;
}

/** @param members of each room, which is full then. */
export async function openSite(
  runDir: string,
  { rooms, members }: { readonly rooms: number; readonly members: number },
): Promise<SeatedSite> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const redis = await startRedis('--maxclients', '1000');
    stops.push(() => redis.close());
    const database = await startDatabase(runDir);
    stops.push(() => database.stop());
    const secret = newSecret();
    const learners: SeatedLearner[] = [];
    for (let seated = 0; seated < rooms; seated += ROOMS_AT_ONCE) {
      const some = Math.min(ROOMS_AT_ONCE, rooms - seated);
      const seating = { rooms: some, members, secret, name: `learner-${seated}-` };
      learners.push(...(await seatLearners(database.url, seating)));
    }
    const env = {
      DATABASE_URL: database.url,
      DATABASE_POOL: '4',
      REDIS_URL: redis.url,
      AUTH_SECRET: secret,
      RATE_LIMIT_SCALE: '1000',
      // Nobody answers there.
      LIVEKIT_URL: 'ws://127.0.0.1:9',
      LIVEKIT_API_KEY: 'none',
      LIVEKIT_API_SECRET: 'none',
      IMAGES_DIR: path.join(runDir, 'images'),
      MAIL_OUTBOX_DIR: path.join(runDir, 'outbox'),
    };
    return {
      ...{ database, redis, learners, env, stop },
      async startApi(name) {
        const api = await startApi({ runDir, name, env });
        stops.push(() => api.stop());
        return api;
      },
      renewLearners() {
        const makeToken = createTokenMaker(secret);
        return Promise.all(
          learners.map(async (each) => ({ ...each, token: await makeToken(each.userId) })),
        );
      },
      startLearners() {
        const started = startGenerator<LearnersRequest>(LEARNERS_FILE);
        stops.push(() => started.stop());
        return started;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The actions of all these processes since they were last asked. */
export async function takeDone(all: readonly Learners[]): Promise<{ done: Done; failure: string }> {
  const taken = await Promise.all(all.map((each) => each.ask({ do: 'take' })));
  const parts = taken as { done: Done; failure: string }[];
  const keys = Object.keys(parts[0]?.done ?? {}) as (keyof Done)[];
  const sum = (key: keyof Done) => parts.reduce((total, { done }) => total + done[key], 0);
  return {
    done: Object.fromEntries(keys.map((key) => [key, sum(key)])) as unknown as Done,
    failure: parts.find(({ failure }) => failure !== '')?.failure ?? '',
  };
}
