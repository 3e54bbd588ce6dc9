import type { UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { PersonalTable } from './data-rules.ts';

/** Rows of one query: at most some megabytes of chat messages. */
const BATCH_ROWS = 500;

interface Line {
  readonly text: string;
  /** The values that order the rows of an owner. */
  readonly place: string[];
}

/** The names of the exported columns. */
export function exportedNames({ columns }: PersonalTable): string[] {
  return Object.values(columns).filter((name) => typeof name === 'string');
}

/** Reads the exported data. PostgreSQL formats the lines: as objects they would cost this process time. */
export function createExportRepository(database: Database) {
  /** Batches of lines with a learner's rows of a table. */
  async function* readLines(
    table: string,
    { owner, order }: PersonalTable,
    userId: UserId,
    line: RawBuilder<unknown>,
  ): AsyncGenerator<string[]> {
    const places = sql.join(order.map((column) => sql.ref(column)));
    let last: string[] | undefined;
    do {
      const after = last && sql`and (${places}) > (${sql.join(last)})`;
      const { rows } = await sql<Line>`
        select ${line} as text, array[${sql.join(order.map((name) => sql`${sql.ref(name)}::text`))}] as place
        from ${sql.table(table)}
        where ${sql.ref(owner)} = ${userId} ${after ?? sql``}
        order by ${places} limit ${BATCH_ROWS}`.execute(database);
      if (rows.length > 0) yield rows.map(({ text }) => text);
      last = rows.length === BATCH_ROWS ? rows.at(-1)?.place : undefined;
    } while (last);
  }

  return {
    /** Batches of rows, each row a JSON object. */
    readObjects: (table: string, rule: PersonalTable, userId: UserId) =>
      readLines(table, rule, userId, jsonObject(rule)),

    /** Batches of rows, each row a line of CSV. */
    readCsvLines: (table: string, rule: PersonalTable, userId: UserId) =>
      readLines(table, rule, userId, csvLine(rule)),

    /** The address of a learner's picture; undefined if the account does not exist. */
    async findPicture(userId: UserId): Promise<string | undefined> {
      const { rows } = await sql<{ address: string }>`
        select profile_image as address from users where id = ${userId}`.execute(database);
      return rows[0]?.address;
    },
  };
}

export type ExportRepository = ReturnType<typeof createExportRepository>;

const exportedColumns = ({ columns }: PersonalTable) =>
  Object.entries(columns).filter(([, name]) => typeof name === 'string');

function jsonObject(rule: PersonalTable): RawBuilder<unknown> {
  const fields = exportedColumns(rule).map(
    ([column, name]) => sql`${sql.lit(String(name))}, ${sql.ref(column)}`,
  );
  return sql`json_build_object(${sql.join(fields)})::text`;
}

/** As in RFC 4180; times are ISO 8601 as in the JSON. */
function csvLine(rule: PersonalTable): RawBuilder<unknown> {
  const fields = exportedColumns(rule).map(([column]) => {
    const text = sql`coalesce(to_jsonb(${sql.ref(column)}) #>> '{}', '')`;
    return sql`case when ${text} ~ '[",\r\n]' then '"' || replace(${text}, '"', '""') || '"' else ${text} end`;
  });
  return sql`concat_ws(',', ${sql.join(fields)})`;
}
