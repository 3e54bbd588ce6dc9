import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';

/** The features that have tables, in the order in which app.ts composes them; `site` is of the platform. */
const FEATURES = [
  'site',
  'audit',
  'users',
  'sanctions',
  'second-factor',
  'passkeys',
  'auth',
  'social-login',
  'blocks',
  'rooms',
  'images',
  'focus',
  'hosting',
  'titles',
  'pomodoro',
  'friends',
  'chat',
  'board',
  'leaderboard',
  'reports',
];

/** Makes the schema of the first release: `001-baseline/FEATURE.sql`, with every table, column and index explained. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const feature of FEATURES) {
    const file = path.join(import.meta.dirname, '001-baseline', `${feature}.sql`);
    await sql.raw(await readFile(file, 'utf8')).execute(db);
  }
}
