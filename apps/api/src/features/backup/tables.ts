import type pg from 'pg';

/** A table with the columns that are stored. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Names of what the product makes in the schema. */
export type OwnNames = ReadonlySet<string>;

/** Tables that the steps of the schema fill themselves. */
const OF_THE_SCHEMA = ['kysely_migration', 'kysely_migration_lock', 'breaking_step'];

async function select<Row extends pg.QueryResultRow>(client: pg.Client, text: string) {
  return (await client.query<Row>(text)).rows;
}

/** All tables of the product; others in the same schema are the operator's. */
export async function readTables(client: pg.Client, own: OwnNames): Promise<Table[]> {
  const tables = await select<Table>(
    client,
    `select relname as name, array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = current_schema()::regnamespace and relkind = 'r'
       and attnum > 0 and not attisdropped and attgenerated = ''
       and relname <> all('{${OF_THE_SCHEMA}}')
     group by relname order by relname`,
  );
  return tables.filter(({ name }) => own.has(name));
}

/** The rows in PostgreSQL's text format: a line is a row, as a line break in a value is written in other characters. */
export function countRows(bytes: Uint8Array): number {
  let rows = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) rows += 1;
  return rows;
}

/** The names of the applied steps; none for an empty database. */
export async function readSteps(client: pg.Client): Promise<string[]> {
  const [found] = await select(client, `select where to_regclass('kysely_migration') is not null`);
  if (!found) return [];
  const rows = await select<{ name: string }>(
    client,
    'select name from kysely_migration order by name',
  );
  return rows.map(({ name }) => name);
}

/** The last number that each sequence gave. */
export async function readSequences(client: pg.Client): Promise<Record<string, number>> {
  const rows = await select<{ name: string; last: string }>(
    client,
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = current_schema() and last_value is not null`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
}

/** Lets sequences go on after the larger of their own and the given numbers. */
export async function raiseSequences(
  client: pg.Client,
  least: Readonly<Record<string, number>>,
): Promise<void> {
  const own = await readSequences(client);
  for (const [name, last] of Object.entries(least)) {
    if (last <= (own[name] ?? 0)) continue;
    await client.query('select setval(to_regclass(quote_ident($1)), $2)', [name, last]);
  }
}

/** Takes the foreign keys away, so that tables can be filled in any order; the result puts them back, and checks them. */
export async function liftForeignKeys(client: pg.Client): Promise<() => Promise<void>> {
  const keys = await select<{ table: string; name: string; definition: string }>(
    client,
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
       pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and connamespace = current_schema()::regnamespace`,
  );
  for (const { table, name } of keys) {
    await client.query(`alter table ${table} drop constraint ${name}`);
  }
  return async () => {
    for (const { table, name, definition } of keys) {
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    }
  };
}

/** Removes everything of the product from the schema, and nothing else. */
export async function dropEverything(client: pg.Client, own: OwnNames): Promise<void> {
  const objects = await select<{ name: string; statement: string }>(
    client,
    `select relname as name, format('drop table %s cascade', oid::regclass) as statement
     from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
     union all
     select relname, format('drop sequence %s', oid::regclass)
     from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S'
       and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i'))
     union all
     select proname, format('drop function %s cascade', oid::regprocedure)
     from pg_proc where pronamespace = current_schema()::regnamespace and prokind = 'f'`,
  );
  for (const { name, statement } of objects) {
    if (own.has(name) || OF_THE_SCHEMA.includes(name)) await client.query(statement);
  }
}
