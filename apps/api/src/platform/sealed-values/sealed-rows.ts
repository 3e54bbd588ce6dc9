import { sql } from 'kysely';
import { type Database, sweepInSlices } from '../database/index.ts';

/** A table with a column `sealed_secret`. */
export interface SealedTable {
  readonly table: string;
  /** Its primary key, a whole number from 1. */
  readonly key: string;
  /** The column with the owner of a secret. */
  readonly owner: string;
}

interface SealedRow {
  readonly id: string;
  readonly owner: string;
  readonly sealed: Buffer;
}

/**
 * Stores other sealed secrets in a table, slice by slice.
 * @param change null for a row that stays. One that is stored meanwhile stays as well.
 */
export async function changeSealedRows(
  database: Database,
  { table, key, owner }: SealedTable,
  change: (row: SealedRow) => Buffer | null,
): Promise<void> {
  const id = sql.ref(key);
  await sweepInSlices({
    async find(after: SealedRow | null, limit) {
      const { rows } = await sql<SealedRow>`
        select ${id}::text as id, ${sql.ref(owner)}::text as owner, sealed_secret as sealed
        from ${sql.table(table)} where ${id} > ${after?.id ?? '0'}
        order by ${id} limit ${limit}`.execute(database);
      return rows;
    },
    async work(rows) {
      const changed = rows.flatMap((row) => {
        const resealed = change(row);
        return resealed ? { ...row, resealed } : [];
      });
      if (changed.length === 0) return;
      await sql`
        update ${sql.table(table)} set sealed_secret = changed.resealed
        from unnest(
          ${changed.map((row) => row.id)}::bigint[],
          ${changed.map((row) => row.sealed)}::bytea[],
          ${changed.map((row) => row.resealed)}::bytea[]
        ) as changed (row_id, sealed, resealed)
        where ${id} = changed.row_id and sealed_secret = changed.sealed`.execute(database);
    },
  });
}
