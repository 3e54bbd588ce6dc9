import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import {
  keepLogShort,
  type SupervisorLogger,
  type SupervisorState,
  supervise,
} from '../child-process/index.ts';
import { preparePostgresBinaries } from './binaries.ts';
import { clusterLink, prepareCluster } from './cluster.ts';
import { launchPostmaster } from './postmaster.ts';
import {
  apiConnection,
  type connectionTo,
  loadRoles,
  prepareRoles,
  superuserConnection,
} from './roles.ts';
import { socketFolder } from './socket-folder.ts';
import { chooseUnprivileged } from './unprivileged.ts';

export interface PostgresOptions {
  /** DATA_DIR; the cluster is its folder `postgres`. */
  readonly dataDir: string;
  readonly logger: SupervisorLogger;
  /** False gives up safety against power loss for speed: only for tests. */
  readonly durable?: boolean;
  /** Aborts the start, e.g. while the database recovers from a crash. */
  readonly signal?: AbortSignal;
}

export type PostgresConnection = ReturnType<typeof connectionTo>;

/** Our own database server, reachable through a socket in a private folder only. */
export interface PostgresServer {
  /** Connection of the API's role, as `pg` takes it: it owns its database and is no superuser. */
  readonly connection: PostgresConnection;
  /** Connection of a superuser to the same database, for tests and benchmarks. */
  readonly superuser: PostgresConnection;
  /** `connection` in the form of DATABASE_URL. */
  readonly url: string;
  state(): SupervisorState;
  /** Stops it after rolling back open transactions; close your connections first. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on DATA_DIR and keeps it running; the first start creates the database. A server left
 * behind by a killed run is taken over. Rejects with a sentence for the operator if it cannot run.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { dataDir, logger, durable = true, signal = new AbortController().signal } = options;
  // The user of PostgreSQL must be able to pass through root's folder; the files in it stay private.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const runAs = await chooseUnprivileged(clusterLink(dataDir));
  const binaries = await preparePostgresBinaries(runAs, logger);
  const roles = await loadRoles(dataDir);
  const { superuser } = roles;
  const cluster = await prepareCluster({ dataDir, binaries, runAs, durable, superuser, logger });
  const socketDir = await socketFolder(cluster, runAs);
  const logPath = join(dataDir, 'postgres.log');
  const launch = (stopping: AbortSignal) =>
    launchPostmaster(
      {
        binaries,
        cluster,
        socketDir,
        logPath,
        runAs,
        superuser,
        durable,
        logger,
      },
      stopping,
    );
  const running = await launch(signal);
  const supervisor = supervise({ name: 'The database server', launch, running, logger });
  try {
    await prepareRoles(cluster, socketDir, roles);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  const stopLooking = keepLogShort(logPath);
  const connection = apiConnection(socketDir, roles);
  return {
    connection,
    superuser: superuserConnection(socketDir, roles),
    url: urlOf(connection),
    state: supervisor.state,
    async stop() {
      await supervisor.stop();
      stopLooking();
    },
  };
}

/**
 * Connection of the API's role to the server that another process runs on this DATA_DIR, in the form of
 * DATABASE_URL.
 */
export async function runningPostgresUrl(dataDir: string): Promise<string> {
  const cluster = await realpath(clusterLink(dataDir));
  const socketDir = await socketFolder(cluster, await chooseUnprivileged(cluster));
  return urlOf(apiConnection(socketDir, await loadRoles(dataDir)));
}

function urlOf({ host, port, user, password, database }: PostgresConnection): string {
  return `postgresql://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
