import { createMediaServers, type MediaServers } from '../../apps/api/src/features/media/index.ts';
import { systemClock } from '../../apps/api/src/platform/clock/index.ts';
import { createDatabase } from '../../apps/api/src/platform/database/index.ts';
import { createLogger } from '../../apps/api/src/platform/logger/index.ts';
import { newSecret } from '../../bench/support/product.ts';
import type { JudgedSite, MediaAccess } from '../support/fault-verdict.ts';
import { startBalancer } from './balancer.ts';
import { Machine, openNetwork } from './machine.ts';
import { bootApi, bootMedia, mediaUrlOf, PORT, prepareData } from './services.ts';

/** A and B have an API, C has PostgreSQL and Redis, D and E have a LiveKit. */
export const names = ['A', 'B', 'C', 'D', 'E'] as const;
export type MachineName = (typeof names)[number];

/** A site on five machines, with a balancer in front that learners come through. */
export interface MachinesSite extends JudgedSite {
  readonly machines: Readonly<Record<MachineName, Machine>>;
  /** What an operator does to media servers. */
  readonly mediaServers: MediaServers;
}

const FIRST_ADDRESS = 11;
const KEY = 'machines-key';

/** Starts the site in the network namespace of this process; it ends with this process. */
export async function startMachinesSite(dataDir: string): Promise<MachinesSite> {
  await openNetwork();
  const plugged = names.map(
    async (name, at) => [name, await Machine.plugIn(name, FIRST_ADDRESS + at)] as const,
  );
  const machines = Object.fromEntries(await Promise.all(plugged)) as MachinesSite['machines'];
  const { A, B, C, D, E } = machines;
  const logger = createLogger('warn');
  const data = await prepareData(C, dataDir, logger);
  await C.boot(data.boot);
  const apiSecret = newSecret();
  const media = [D, E].map(
    (machine): MediaAccess => ({ url: mediaUrlOf(machine), apiKey: KEY, apiSecret }),
  );
  await Promise.all(
    [D, E].map((machine, at) =>
      machine.boot((booted) => bootMedia(booted, media[at] as MediaAccess)),
    ),
  );
  const secret = newSecret();
  const env = {
    ...data.env,
    LIVEKIT_URL: media.map(({ url }) => url).join(),
    LIVEKIT_API_KEY: KEY,
    LIVEKIT_API_SECRET: apiSecret,
    AUTH_SECRET: secret,
    IMAGES_DIR: `${dataDir}/images`,
    MAIL_OUTBOX_DIR: `${dataDir}/outbox`,
    // All learners come from the address of the balancer.
    RATE_LIMIT_SCALE: '1000',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
  };
  for (const machine of [A, B]) await machine.boot((booted) => bootApi(booted, env));
  await startBalancer(PORT, [A.address, B.address]);
  const connection = { connectionString: data.database.url };
  const mediaServers = createMediaServers({
    database: createDatabase({ connection, logger, poolSize: 2 }),
    authSecrets: [secret],
    clock: systemClock,
    logger,
  });
  const { database } = data;
  return { machines, mediaServers, database, secret, media, proxy: { port: PORT } };
}
