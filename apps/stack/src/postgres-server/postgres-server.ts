import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type SupervisorLogger, type SupervisorState, supervise } from '../child-process/index.ts';
import { preparePostgresBinaries } from './binaries.ts';
import { clusterLink, prepareCluster } from './cluster.ts';
import { connectionTo, launchPostmaster, withClient } from './postmaster.ts';
import { socketFolder } from './socket-folder.ts';
import { chooseUnprivileged } from './unprivileged.ts';

export interface PostgresOptions {
  /** DATA_DIR; the cluster is its folder `postgres`. */
  readonly dataDir: string;
  readonly logger: SupervisorLogger;
  /** False gives up safety against power loss for speed: for tests only. */
  readonly durable?: boolean;
  /** Gives the start up, e.g. while the database recovers from a crash. */
  readonly signal?: AbortSignal;
}

/** Our own database server, reachable through a socket in a private folder only. */
export interface PostgresServer {
  /** What `pg` needs to connect. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
    readonly ssl: false;
  };
  /** The same as DATABASE_URL takes it. */
  readonly url: string;
  state(): SupervisorState;
  /** Stops it after open transactions are rolled back; end your connections before. */
  stop(): Promise<void>;
}

const DATABASE = 'mogakgong';

/**
 * Starts PostgreSQL on DATA_DIR, making the database on the first start, and keeps it running.
 * A server that a killed run left behind is taken over. Rejects with a sentence for people when
 * it cannot run.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { dataDir, logger, durable = true, signal = new AbortController().signal } = options;
  // Root's data must be passable for the user who runs PostgreSQL; the files in it stay private.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const runAs = await chooseUnprivileged(clusterLink(dataDir));
  const binaries = await preparePostgresBinaries(runAs, logger);
  const cluster = await prepareCluster({ dataDir, binaries, runAs, durable, logger });
  const socketDir = await socketFolder(cluster, runAs);
  const launch = (stopping: AbortSignal) =>
    launchPostmaster(
      {
        binaries,
        cluster,
        socketDir,
        logPath: join(dataDir, 'postgres.log'),
        runAs,
        durable,
        logger,
      },
      stopping,
    );
  const running = await launch(signal);
  const supervisor = supervise({ name: 'The database server', launch, running, logger });
  try {
    await createDatabase(socketDir);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  const connection = connectionTo(socketDir, DATABASE);
  return {
    connection,
    url: urlOf(connection),
    state: supervisor.state,
    stop: supervisor.stop,
  };
}

function urlOf({ host, port, user, database }: PostgresServer['connection']): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

async function createDatabase(socketDir: string): Promise<void> {
  await withClient(connectionTo(socketDir, 'postgres'), async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      DATABASE,
    ]);
    if (rowCount === 0) {
      await client.query(`create database ${client.escapeIdentifier(DATABASE)}`);
    }
  });
}
