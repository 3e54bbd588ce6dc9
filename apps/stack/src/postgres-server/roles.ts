import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type ClientConfig } from 'pg';
import { readOrCreateSecret } from '../secret-file.ts';
import { SOCKET_PORT } from './socket-folder.ts';

/** A role of the database server with its password. */
export interface Role {
  readonly user: string;
  readonly password: string;
}

/**
 * The superuser for maintenance of the cluster, and the API's role, which owns its database and nothing else.
 */
export interface Roles {
  readonly superuser: Role;
  readonly api: Role;
}

const DATABASE = 'mogakgong';
/** All processes that reach the socket need a password. */
const ACCESS = 'local all all scram-sha-256\n';

/** The roles with their passwords, created on the first start and kept in DATA_DIR (0600). */
export async function loadRoles(dataDir: string): Promise<Roles> {
  return {
    superuser: {
      user: 'mogakgong',
      password: await readOrCreateSecret(join(dataDir, 'postgres-superuser-password')),
    },
    api: {
      user: 'mogakgong_api',
      password: await readOrCreateSecret(join(dataDir, 'postgres-password')),
    },
  };
}

/** Connection of a role to the server with its socket in `socketDir`. */
export function connectionTo(socketDir: string, { user, password }: Role, database = 'postgres') {
  return { host: socketDir, port: SOCKET_PORT, user, password, database, ssl: false } as const;
}

/** Connection of the API. */
export const apiConnection = (socketDir: string, { api }: Roles) =>
  connectionTo(socketDir, api, DATABASE);

/** Our connection to the API's database as superuser. */
export const superuserConnection = (socketDir: string, { superuser }: Roles) =>
  connectionTo(socketDir, superuser, DATABASE);

/** Runs `work` on a separate connection. */
export async function withClient<T>(
  config: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionTimeoutMillis: 5_000, ...config });
  // A connection that breaks also rejects the query; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Creates the API's role and database. A cluster of an earlier version, which trusted every process and gave
 * the API a superuser, is converted.
 */
export async function prepareRoles(
  cluster: string,
  socketDir: string,
  { superuser, api }: Roles,
): Promise<void> {
  const isNew = await withClient(connectionTo(socketDir, superuser), async (client) => {
    const { rows } = await client.query<{ name: string; count: number }>(
      `select (select count(*)::integer from pg_hba_file_rules where auth_method = 'trust') as trusted,
              (select count(*)::integer from pg_roles where rolname = $1) as roles,
              (select count(*)::integer from pg_database where datname = $2) as databases`,
      [api.user, DATABASE],
    );
    const { trusted, roles, databases } = rows[0] as unknown as Record<string, number>;
    const role = client.escapeIdentifier(api.user);
    if (trusted) {
      const password = client.escapeLiteral(superuser.password);
      await client.query(
        `alter role ${client.escapeIdentifier(superuser.user)} password ${password}`,
      );
      await writeFile(join(cluster, 'pg_hba.conf'), ACCESS);
      await client.query('select pg_reload_conf()');
    }
    if (!roles) await client.query(`create role ${role} login`);
    await client.query(`alter role ${role} password ${client.escapeLiteral(api.password)}`);
    if (!databases) await client.query(`create database ${DATABASE} owner ${role}`);
    else if (!roles) await client.query(`alter database ${DATABASE} owner to ${role}`);
    return !roles && Boolean(databases);
  });
  if (isNew) await handOver(socketDir, superuser, api);
}

/** Makes the API's role the owner of all objects that the superuser created in its database. */
async function handOver(socketDir: string, superuser: Role, api: Role): Promise<void> {
  await withClient(connectionTo(socketDir, superuser, DATABASE), (client) =>
    client.query(`
      do $$
      declare statement text;
      begin
        for statement in
          select format('alter table %s owner to ${api.user}', oid::regclass)
          from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
          union all
          select format('alter sequence %s owner to ${api.user}', c.oid::regclass)
          from pg_class as c
          where relnamespace = 'public'::regnamespace and relkind = 'S'
            and not exists (select from pg_depend where objid = c.oid and deptype in ('a', 'i'))
          union all
          select format('alter routine %s owner to ${api.user}', oid::regprocedure)
          from pg_proc where pronamespace = 'public'::regnamespace
          union all
          select format('alter type %s owner to ${api.user}', oid::regtype)
          from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
        loop
          execute statement;
        end loop;
      end $$`),
  );
}
