import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CompiledQuery } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import { isDatabaseUnavailable } from './database-errors.ts';
import { letStatementsTake } from './prepared-statements.ts';

const MIGRATIONS_DIR = path.resolve(import.meta.dirname, '../../../migrations');

/**
 * Reads `migrations/NNN-name.ts`: forward only, new ones applied in order of their numbers, in one
 * transaction. A migration that changes every row of a large table takes longer than other statements may.
 */
const provider: MigrationProvider = {
  async getMigrations() {
    const files = (await readdir(MIGRATIONS_DIR)).filter((file) => file.endsWith('.ts')).sort();
    const migrations: Record<string, Migration> = {};
    for (const file of files) {
      const { up }: Migration = await import(pathToFileURL(path.join(MIGRATIONS_DIR, file)).href);
      migrations[path.basename(file, '.ts')] = {
        async up(db) {
          await letStatementsTake(db, 0);
          await up(db);
        },
      };
    }
    return migrations;
  },
};

/**
 * Brings the schema up to date; if several processes call it at once, one applies.
 * @throws when a migration fails, or when the schema is newer than this code.
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  // Migrations from parallel branches arrive in another order than that of their numbers.
  const migrator = new Migrator({ db: database, provider, allowUnorderedMigrations: true });
  // Reports a faulty connection before anything about the schema.
  await database.executeQuery(CompiledQuery.raw('select 1'));
  const { error, results = [] } = await migrator.migrateToLatest();
  if (isDatabaseUnavailable(error)) throw error;
  if (error) {
    throw new Error(
      'The database schema could not be brought up to date. If it was made by a newer version of Mogakgong, run that version.',
      { cause: error },
    );
  }
  return results.map((result) => result.migrationName);
}
