import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTestSite } from '../../../test/test-site.ts';
import { otherTables } from './other-tables.ts';
import { personalTables } from './personal-data.ts';
import { withheldTables } from './report-rules.ts';

const { app } = await openTestSite();
/** Every column of the tables, as `table.column`. */
let columns: string[];
beforeAll(async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(app.database);
  columns = rows.map(({ name }) => name);
});

const ruled = () => [
  ...Object.entries(personalTables).flatMap(([table, rule]) =>
    Object.keys(rule.columns).map((column) => `${table}.${column}`),
  ),
  ...Object.entries({ ...otherTables, ...withheldTables }).flatMap(([table, rule]) =>
    rule.columns.map((column) => `${table}.${column}`),
  ),
];

/** The columns of withheld tables that name the learner that a row is about. */
const subjects = () =>
  Object.entries(withheldTables).flatMap(([table, { subject }]) =>
    subject ? [`${table}.${subject}`] : [],
  );

/** The columns of other tables that name a learner until the account is deleted. */
const emptied = () =>
  Object.entries(otherTables).flatMap(([table, rule]) =>
    (rule.emptied ?? []).map((column) => `${table}.${column}`),
  );

/** The columns that refer to an account, and whether its deletion deletes their rows. */
const references = async () => {
  const { rows } = await sql<{ name: string; isCascade: boolean; isEmptied: boolean }>`
      select c.conrelid::regclass || '.' || a.attname as name, c.confdeltype = 'c' as "isCascade",
             c.confdeltype = 'n' as "isEmptied"
      from pg_constraint as c
      join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid = 'users'::regclass`.execute(app.database);
  return rows;
};

const ADVICE = `Every column needs a rule for personal data (apps/api/src/features/privacy).
Of a table whose rows belong to learners: in account-rules.ts or study-rules.ts, its name in the export
or why it is not exported. Of a table about learners that they are not given: in report-rules.ts. Of any other: in other-tables.ts. If it is a new kind of data, or is kept
for another time, the privacy policy (section 1 and 3) names it, too.`;

describe('the rules for personal data', () => {
  it('name every column of the schema, and no other', () => {
    expect(ruled().toSorted(), ADVICE).toEqual(columns);
  });

  it('know every column that refers to an account', async () => {
    const rows = await references();
    const known = [
      ...Object.entries(personalTables).flatMap(([table, { owner, alsoAbout }]) =>
        [owner, alsoAbout].map((column) => `${table}.${column}`),
      ),
      ...subjects(),
      ...emptied(),
    ];
    expect(rows.length).toBeGreaterThan(5);
    for (const { name } of rows) {
      expect(known, `${name} refers to an account: ${ADVICE}`).toContain(name);
    }
  });

  it('leave to the foreign key only what it deletes', async () => {
    const cascades = (await references())
      .filter(({ isCascade }) => isCascade)
      .map(({ name }) => name);
    for (const [table, { owner, onDeletion }] of Object.entries(personalTables)) {
      if (table === 'users' || onDeletion !== 'cascade') continue;
      expect(cascades).toContain(`${table}.${owner}`);
    }
    for (const subject of subjects()) expect(cascades).toContain(subject);
    const left = (await references()).filter(({ isEmptied }) => isEmptied).map(({ name }) => name);
    for (const column of emptied()) expect(left).toContain(column);
  });

  it('read and delete rows by an index', async () => {
    const { rows } = await sql<{ table: string; columns: string[] }>`
      select i.indrelid::regclass::text as table,
             array(select a.attname::text from unnest(i.indkey::integer[]) with ordinality as k (number, place)
                   join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.number
                   order by k.place) as columns
      from pg_index as i where i.indpred is null`.execute(app.database);
    for (const [table, { owner, order }] of Object.entries(personalTables)) {
      const starts = rows.filter((row) => row.table === table).map((row) => row.columns[0]);
      expect(starts, `${table} has no index that begins with ${owner}`).toContain(owner);
      for (const column of order) expect(columns).toContain(`${table}.${column}`);
    }
  });

  it('give no two tables the same file, and no two columns the same name', () => {
    const files = Object.values(personalTables).map(({ file }) => file);
    expect(new Set(files).size).toBe(files.length);
    for (const rule of Object.values(personalTables)) {
      const names = Object.values(rule.columns).filter((name) => typeof name === 'string');
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
