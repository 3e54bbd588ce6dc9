import { sql } from 'kysely';
import { createChatRepository } from '../apps/api/src/features/chat/index.ts';
import type { Database } from '../apps/api/src/platform/database/index.ts';
import { onDatabase } from './support/database.ts';
import { tableRow } from './support/statistics.ts';

/**
 * How long the deletion of old messages takes, beside a table that keeps as many newer ones.
 *
 *     npm run bench:old-chat -- [old messages]
 */
const OLD = Number(process.argv[2] ?? 1_000_000);

async function run(database: Database): Promise<void> {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const write = (count: number, from: string, firstNumber: number) =>
    sql`
    insert into chat_message
      (room_id, epoch, number, sender_id, client_id, content, nickname, profile_image, sent_at)
    select n % 5000, 1, ${firstNumber}::bigint + n, n % 100000, (${firstNumber}::bigint + n)::text,
           repeat('x', 40), 'a learner', 'default.jpg',
           ${from}::timestamptz + n * interval '1 millisecond'
    from generate_series(1, ${count}::integer) as n`.execute(database);
  await sql`set statement_timeout = 0`.execute(database);
  await write(OLD, '2026-01-01', 0);
  await write(OLD, '2026-06-01', OLD);
  await sql`vacuum analyze chat_message`.execute(database);
  const repository = createChatRepository(database);
  const startMs = performance.now();
  await repository.deleteSentBefore(new Date('2026-05-01'));
  const tookMs = performance.now() - startMs;
  const { rows } = await sql<{ left: number }>`
    select count(*)::integer as left from chat_message`.execute(database);
  console.log(tableRow('old messages', 'left', 'seconds', 'messages a second'));
  console.log(tableRow('---:', '---:', '---:', '---:'));
  console.log(
    tableRow(
      ...[whole(OLD), whole(rows[0]?.left ?? 0), (tookMs / 1_000).toFixed(1)],
      whole(OLD / (tookMs / 1_000)),
    ),
  );
}

await onDatabase({ isSuperuser: true, poolSize: 1, statementTimeoutMs: 0 }, run);
