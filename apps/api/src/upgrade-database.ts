import { keepPointBeforeUpgrade } from './features/backup/index.ts';
import { migrate, type PooledDatabase } from './platform/database/index.ts';
import type { Env } from './platform/env/index.ts';

/**
 * Brings the database up to date, after a restore point of what is there.
 * @returns what was done, in lines to show; none if the database was up to date.
 * @throws when the point cannot be written, or as `migrate`.
 */
export async function upgradeDatabase(env: Env, database: PooledDatabase): Promise<string[]> {
  const point = await keepPointBeforeUpgrade(env);
  const applied = await migrate(database);
  return [
    ...(point === null ? [] : [`Kept a restore point before the database changes: ${point}`]),
    ...(applied.length === 0 ? [] : [`Brought the database up to date: ${applied.join(', ')}`]),
  ];
}
