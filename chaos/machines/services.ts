import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { API_ENTRY, API_NODE_OPTIONS } from '../../apps/stack/src/api-process.ts';
import type { SupervisorLogger } from '../../apps/stack/src/child-process/index.ts';
import { preparePostgresBinaries } from '../../apps/stack/src/postgres-server/binaries.ts';
import { startPostgres } from '../../apps/stack/src/postgres-server/index.ts';
import { chooseUnprivileged } from '../../apps/stack/src/postgres-server/unprivileged.ts';
import { findMediaServerBinary } from '../../test/media-server-binary.ts';
import type { MediaAccess } from '../support/fault-verdict.ts';
import type { SiteDatabase } from '../support/site.ts';
import { LEARNERS, type Machine, NETWORK } from './machine.ts';

/** Of the balancer, and of each API. */
export const PORT = 3_000;
const DATABASE_PORT = 5_432;
const REDIS_PORT = 6_379;
const MEDIA_PORTS = { signalling: 7_880, tcp: 7_881, udp: 7_882 } as const;
const SERVES_WITHIN_MS = 30_000;
const ASK_EVERY_MS = 20;

/** Waits until a service answers. @throws if it takes too long. */
async function untilAnswering(name: string, ask: () => Promise<unknown>): Promise<void> {
  const endMs = performance.now() + SERVES_WITHIN_MS;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (performance.now() > endMs) throw new Error(`${name} does not answer`, { cause: error });
      await delay(ASK_EVERY_MS);
    }
  }
}

/** Starts an API. */
export async function bootApi(machine: Machine, env: NodeJS.ProcessEnv): Promise<void> {
  const api = machine.spawn(process.execPath, [...API_NODE_OPTIONS, API_ENTRY], {
    env: { ...process.env, ...env, HOST: '0.0.0.0', PORT: String(PORT) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(api, 'message', { signal: AbortSignal.timeout(SERVES_WITHIN_MS) });
}

/** Starts a LiveKit of the operator's own: the product knows its address and its key. */
export async function bootMedia(machine: Machine, media: MediaAccess): Promise<void> {
  const { address } = machine;
  const configuration = {
    port: MEDIA_PORTS.signalling,
    bind_addresses: [address],
    keys: { [media.apiKey]: media.apiSecret },
    rtc: {
      udp_port: MEDIA_PORTS.udp,
      tcp_port: MEDIA_PORTS.tcp,
      node_ip: address,
      use_external_ip: false,
    },
    webhook: { api_key: media.apiKey, urls: [`http://${LEARNERS}:${PORT}/livekit/webhook`] },
    logging: { level: 'error', pion_level: 'error' },
  };
  machine.spawn(findMediaServerBinary(), ['--config-body', JSON.stringify(configuration)], {
    stdio: 'ignore',
  });
  await untilAnswering('LiveKit', () => fetch(media.url));
}

/** How the APIs reach the LiveKit of a machine. */
export const mediaUrlOf = ({ address }: Machine) => `http://${address}:${MEDIA_PORTS.signalling}`;

/** PostgreSQL and Redis on one machine. */
export interface DataServices {
  /** As an API takes them. */
  readonly env: { readonly DATABASE_URL: string; readonly REDIS_URL: string };
  /** By its socket, past the network. */
  readonly database: SiteDatabase;
  boot(machine: Machine): Promise<void>;
}

/** Makes the database of the stack, and lets machines of the network connect to it. */
export async function prepareData(
  { address }: Machine,
  dataDir: string,
  logger: SupervisorLogger,
): Promise<DataServices> {
  const first = await startPostgres({ dataDir, logger });
  const { connection, superuser, url } = first;
  await first.stop();
  const cluster = path.join(dataDir, 'postgres');
  await appendFile(path.join(cluster, 'pg_hba.conf'), `host all all ${NETWORK} scram-sha-256\n`);
  const runAs = await chooseUnprivileged(cluster);
  const { postgres } = await preparePostgresBinaries(runAs, logger);
  const settings = {
    listen_addresses: address,
    port: String(DATABASE_PORT),
    unix_socket_directories: connection.host,
    unix_socket_permissions: '0700',
    log_min_messages: 'fatal',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const redis = ['--port', String(REDIS_PORT), '--bind', address, '--protected-mode', 'no'];
  const pool = new pg.Pool({ ...superuser, max: 1 });
  // Without a listener a connection that is lost while the server is killed would end the run.
  pool.on('error', () => undefined);
  const { user, password, database } = connection;
  return {
    env: {
      DATABASE_URL: `postgresql://${user}:${password}@${address}:${DATABASE_PORT}/${database}`,
      REDIS_URL: `redis://${address}:${REDIS_PORT}`,
    },
    database: {
      url,
      query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    },
    async boot(machine) {
      machine.spawn(postgres, ['-D', cluster, ...options], { runAs, stdio: 'ignore' });
      // It keeps nothing: its content is lost with it, as on a machine of its own.
      machine.spawn('redis-server', [...redis, '--dir', dataDir, '--save', ''], {
        stdio: 'ignore',
      });
      await untilAnswering('PostgreSQL', () => pool.query('select 1'));
    },
  };
}
