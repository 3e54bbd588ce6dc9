import type { SanctionKind } from '@mogakgong/contract';
import pg from 'pg';
import { databaseUrl, type RunningStack } from '../../test/running-stack.ts';
import type { Account } from './journey.ts';

/** Asks the database of a stack. */
async function ask<Row extends pg.QueryResultRow>(
  stack: RunningStack,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: await databaseUrl(stack) });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/**
 * Stores a sanction that another process has decided and could not announce: it takes effect by the
 * database alone. @returns its id.
 */
export async function storeSanction(
  stack: RunningStack,
  { userId }: Account,
  kind: SanctionKind,
  { roomId = null, hours = null }: { roomId?: number | null; hours?: number | null } = {},
): Promise<number> {
  const [row] = await ask<{ id: string }>(
    stack,
    `insert into sanction (user_id, kind, reason, room_id, decided_by, imposed_at, ends_at, changed_at)
     values ($1, $2, '다른 사람을 불쾌하게 하는 화면이었어요.', $3, 1, now(),
             now() + make_interval(hours => $4), now()) returning id`,
    [userId, kind, roomId, kind === 'warn' ? 0 : hours],
  );
  return Number(row?.id);
}

/** Lifts a sanction, with the answer to its appeal if it has one. */
export async function liftSanction(stack: RunningStack, id: number): Promise<void> {
  await ask(
    stack,
    `update sanction set lifted_at = now(), acknowledged_at = null, changed_at = now(),
       appeal_answered_at = case when appealed_at is not null then now() end,
       appeal_outcome = case when appealed_at is not null then 'lifted' end,
       appeal_answer = case when appealed_at is not null then '다시 확인해 보니 오해였어요.' end
     where id = $1`,
    [id],
  );
}
