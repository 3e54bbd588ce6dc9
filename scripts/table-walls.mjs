import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './stack/places.mjs';

/**
 * Checks that a table is used by its feature only: the one that the migration that makes it is named after.
 * Other features ask its index.ts, or read a view that the same file makes for them.
 */
const MIGRATIONS = 'apps/api/migrations';
const FEATURES = 'apps/api/src/features';

const FOCUS_TIME = 'figures of focus time, each counted in one statement with the running interval';
const SEATS =
  'data that ends with a seat or a gathering: one statement locks the seat, then the room';

/** The tables of others that features still use, and why. */
const exceptions = [
  { feature: 'focus', tables: 'seat', reason: SEATS },
  { feature: 'chat', tables: 'seat', reason: SEATS },
  { feature: 'hosting', tables: 'seat study_room visit', reason: SEATS },
  { feature: 'pomodoro', tables: 'seat study_room visit', reason: SEATS },
  {
    feature: 'titles',
    tables: 'visit focus_interval study_record study_day seat',
    reason: FOCUS_TIME,
  },
  {
    feature: 'statistics',
    tables: 'visit focus_interval study_record study_day study_subject study_subject_day',
    reason: FOCUS_TIME,
  },
  { feature: 'leaderboard', tables: 'study_record', reason: FOCUS_TIME },
  {
    feature: 'reports',
    tables: 'seat visit chat_message board_element board_image board_picture',
    reason: 'evidence, taken in the statement that stores a report',
  },
  {
    feature: 'reports',
    tables: 'users study_record audit_event',
    reason: 'ages and roles of accounts, which a decision locks; whether a reading was recorded',
  },
  {
    feature: 'privacy',
    tables: 'users login_session',
    reason: 'an account is deleted with everything that is stored about it',
  },
];

/** Each table, with the feature that owns it. */
function findOwners() {
  const owners = new Map();
  const folder = path.join(root, MIGRATIONS);
  for (const file of globSync('**/*.{sql,ts}', { cwd: folder })) {
    const owner = path.basename(file).replaceAll(/^\d+-|\.\w+$/g, '');
    const source = readFileSync(path.join(folder, file), 'utf8');
    for (const [, table] of source.matchAll(/\bcreate table (\w+)/g)) owners.set(table, owner);
  }
  return owners;
}

/** The tables that a source names in SQL, or in a call that makes SQL, with the line of each. */
export function findUses(source, tables) {
  const name = `(${[...tables].join('|')})\\b`;
  const inSql = `\\b(?:from|join|update|into|using|only|table)\\s+${name}`;
  const afterComma = `\\bfrom\\s+[\\w\\s]+,\\s*${name}`;
  const inCall = `\\b(?:sql\\.table|deleteInSlices)\\((?:\\w+,\\s*)?'${name}`;
  const pattern = new RegExp(`${inSql}|${afterComma}|${inCall}`, 'g');
  // A comment may speak of a table.
  const code = source.replaceAll(/\/\*.*?\*\/|(?<=^|\s)\/\/.*?$/gms, (text) =>
    text.replaceAll(/[^\n]/g, ' '),
  );
  return [...code.matchAll(pattern)].map((match) => ({
    table: match.slice(1).find(Boolean),
    line: code.slice(0, match.index).split('\n').length,
  }));
}

/** Every use of another feature's table without an exception, and every exception without a use. */
function findProblems() {
  const owners = findOwners();
  const unused = new Set(
    exceptions.flatMap(({ feature, tables }) =>
      tables.split(' ').map((table) => `${feature}: ${table}`),
    ),
  );
  const allowed = new Set(unused);
  const problems = [];
  for (const file of globSync('**/*.ts', { cwd: path.join(root, FEATURES) })) {
    if (file.endsWith('.test.ts')) continue;
    const feature = file.split(/[/\\.]/)[0];
    const source = readFileSync(path.join(root, FEATURES, file), 'utf8');
    for (const { table, line } of findUses(source, owners.keys())) {
      if (owners.get(table) === feature) continue;
      const use = `${feature}: ${table}`;
      unused.delete(use);
      if (allowed.has(use)) continue;
      problems.push(`${FEATURES}/${file}:${line}: ${table} is of ${owners.get(table)}`);
    }
  }
  return [...problems, ...[...unused].map((use) => `no longer an exception: ${use}`)];
}

if (import.meta.main) {
  const problems = findProblems();
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
