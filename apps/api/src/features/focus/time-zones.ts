import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** A name that is missing is looked for again when the names are older than this. */
const MISSING_AFTER_MS = 60_000;

interface Names {
  readonly loadedAtMs: number;
  readonly all: Promise<ReadonlySet<string>>;
}

/**
 * The time zones that PostgreSQL can count in. It reads a folder of hundreds of files to list them
 * (30 to 110 ms), so a process asks once; again only for a name that a newer PostgreSQL may know.
 */
export function createTimeZones(database: Database) {
  let names: Names | null = null;

  function load(): Names {
    const loading: Names = { loadedAtMs: performance.now(), all: findNames(database) };
    names = loading;
    // A failure is not kept.
    loading.all.catch(() => {
      if (names === loading) names = null;
    });
    return loading;
  }

  return {
    async has(timeZone: string): Promise<boolean> {
      const known = names ?? load();
      if ((await known.all).has(timeZone)) return true;
      if (performance.now() - known.loadedAtMs < MISSING_AFTER_MS) return false;
      const again = names === known ? load() : (names ?? load());
      return (await again.all).has(timeZone);
    },
  };
}

async function findNames(database: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(
    database,
  );
  return new Set(rows.map(({ name }) => name));
}
