import { sql } from 'kysely';
import type { Database } from './database.ts';

/** For the operator's commands. */
const COMMANDS = 3;
/** Connections of a process outside its pool: the one that watches the database, and the one that replaces it. */
const WATCHING = 2;
/** A transaction may need a second connection beside its own. */
const LEAST = 2;

/** Connections that all processes of the site may have together, as the server limits this database and role. */
async function readMost(database: Database): Promise<number> {
  const { rows } = await sql<{ most: number }>`
    select least(
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true)::integer, 0),
      -- Negative: no limit.
      (select nullif(greatest(datconnlimit, -1), -1) from pg_database where datname = current_database()),
      (select nullif(greatest(rolconnlimit, -1), -1) from pg_roles where rolname = current_user)
    ) as most`.execute(database);
  return rows[0]?.most ?? LEAST;
}

/**
 * The size of this process's pool: as wanted, unless the pools of all processes would be more than the server
 * takes.
 */
export async function poolShare(
  database: Database,
  { wanted, processes }: { readonly wanted: number; readonly processes: number },
): Promise<number> {
  const share = Math.floor(((await readMost(database)) - COMMANDS) / processes) - WATCHING;
  return Math.max(LEAST, Math.min(wanted, share));
}
