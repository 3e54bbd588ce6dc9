import { exportOwnData, type UserId } from '@mogakgong/contract';
import { unzipSync, ZipDeflate } from 'fflate';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { givePersonalHistory, type PersonalMarks } from '../../../test/personal-history.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createExportRepository } from './export.repository.ts';
import { createDataExport } from './export.service.ts';
import { personalTables } from './personal-data.ts';
import { zipStream } from './zip-stream.ts';

const { app } = await openTestSite({ env: { RATE_LIMIT_SCALE: '1' } });
let learner: Learner;
let friend: Learner;
let marks: PersonalMarks;
beforeAll(async () => {
  learner = await app.newLearner();
  friend = await app.newLearner();
  marks = await givePersonalHistory(app, learner, friend);
});

const request = ({ headers }: Learner) =>
  app.inject({ method: exportOwnData.method, url: exportOwnData.path, headers });

const exportDirectly = (userId: UserId) =>
  createDataExport({
    repository: createExportRepository(app.database),
    findPicture: async () => null,
  }).open(userId);

/** Keeps byte order marks, which a TextDecoder drops. */
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8');

async function unpack(userId: UserId): Promise<Record<string, string>> {
  const bytes = Buffer.concat(await (await exportDirectly(userId)).toArray());
  const files = Object.entries(unzipSync(bytes));
  return Object.fromEntries(files.map(([name, content]) => [name, textOf(content)]));
}

const rowsOf = (files: Record<string, string>, table: string): Record<string, unknown>[] =>
  JSON.parse(files[`${personalTables[table]?.file}.json`] ?? 'null');

describe('the export', () => {
  it('is a zip file of every table, with the picture and an explanation', async () => {
    const answer = await request(learner);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="mogakgong.zip"',
    });
    const files = unzipSync(new Uint8Array(answer.rawPayload));
    expect(textOf(files['picture.webp']?.slice(8, 12))).toBe('WEBP');
    const readme = textOf(files['README.txt']);
    for (const { file, about } of Object.values(personalTables)) {
      expect(Object.keys(files)).toContain(`${file}.json`);
      expect(readme).toContain(`${file}.json`);
      expect(readme).toContain(about.ko);
      expect(readme).toContain(about.en);
    }
    expect(readme).toContain('모각공');
  });

  it('holds what the database holds of the learner, table by table', async () => {
    const files = await unpack(learner.userId);
    for (const [table, rule] of Object.entries(personalTables)) {
      const { rows: stored } = await sql<{ row: Record<string, unknown> }>`
        select to_jsonb(stored) as row from ${sql.table(table)} as stored
        where ${sql.ref(rule.owner)} = ${learner.userId}
        order by ${sql.join(rule.order.map((column) => sql.ref(column)))}`.execute(app.database);
      expect(stored.length, `add a row of ${table} to personal-history.ts`).toBeGreaterThan(0);
      const expected = stored.map(({ row }) =>
        Object.fromEntries(
          Object.entries(rule.columns).flatMap(([column, name]) =>
            typeof name === 'string' ? [[name, row[column]]] : [],
          ),
        ),
      );
      expect(rowsOf(files, table)).toEqual(expected);
    }
    const everything = Object.values(files).join('\n');
    for (const mark of [learner.email, learner.nickname, ...Object.values(marks)]) {
      expect(everything).toContain(JSON.stringify(mark).slice(1, -1));
    }
  });

  it('holds nothing of others, and no secret', async () => {
    const files = await unpack(learner.userId);
    const everything = Object.values(files).join('\n');
    expect(everything).not.toContain(friend.email);
    expect(everything).not.toContain(friend.nickname);
    expect(everything).not.toContain('argon2');
    expect(rowsOf(files, 'block')).toHaveLength(1);
    expect(rowsOf(await unpack(friend.userId), 'chat_message')).toEqual([]);
  });

  it('has records of study as CSV for spreadsheets', async () => {
    const files = await unpack(learner.userId);
    expect(files['study-days.csv']).toBe('\uFEFFday,focusMs,awayMs\r\n2026-11-22,1,1\r\n');
    const [header, line] = files['focus-intervals.csv']?.split('\r\n') ?? [];
    const [interval] = rowsOf(files, 'focus_interval');
    expect(header).toBe(`\uFEFF${Object.keys(interval ?? {}).join(',')}`);
    expect(line).toBe(Object.values(interval ?? {}).join(','));
  });

  it('reads many rows in batches, each when the one before was taken', async () => {
    const many = await app.newLearner();
    await app.seat(many);
    const count = 20_000;
    await sql`
      insert into focus_interval
      select ${many.userId}, moment, moment + interval '1 microsecond', visit.id, 'focus', false, 'Asia/Seoul', 0
      from visit, generate_series(1, ${count}::integer) as n,
           lateral (select timestamptz '2026-01-01' + n * interval '1 microsecond') as m (moment)
      where user_id = ${many.userId}`.execute(app.database);
    app.queries.splice(0);
    const stream = await exportDirectly(many.userId);
    let mostQueries = 0;
    let mostBytes = 0;
    const pieces: Uint8Array[] = [];
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      const queries = app.queries.splice(0).filter((text) => text.includes('focus_interval'));
      mostQueries = Math.max(mostQueries, queries.length);
      mostBytes = Math.max(mostBytes, piece.length);
      pieces.push(piece);
    }
    expect(mostQueries).toBeLessThanOrEqual(5);
    expect(mostBytes).toBeLessThan(256 * 1024);
    const files = unzipSync(new Uint8Array(Buffer.concat(pieces)));
    const intervals = JSON.parse(textOf(files['focus-intervals.json']));
    expect(new Set(intervals.map((row: { startedAt: string }) => row.startedAt)).size).toBe(count);
    expect(intervals).toHaveLength(count);
  });

  it('lets others have their turn while a long piece is packed', async () => {
    let turns = 0;
    let isPacking = true;
    const countTurns = () => {
      turns += 1;
      if (isPacking) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const content = Array.from({ length: 100_000 }, (_, line) => `${line} 오늘도 집중`).join('\n');
    async function* files() {
      yield { name: 'long.txt', pieces: [content] };
    }
    const packed: Uint8Array[] = [];
    for await (const bytes of zipStream(files())) packed.push(bytes);
    isPacking = false;
    expect(textOf(unzipSync(new Uint8Array(Buffer.concat(packed)))['long.txt'])).toBe(content);
    expect(turns).toBeGreaterThan(20);
  });

  it('is packed piece by piece in turns of the process, however many there are', async () => {
    let turn = 0;
    let isPacking = true;
    const countTurns = () => {
      turn += 1;
      if (isPacking) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const packedIn: number[] = [];
    const push = vi.spyOn(ZipDeflate.prototype, 'push');
    push.mockImplementation(() => void packedIn.push(turn));
    async function* files() {
      yield { name: 'long.txt', pieces: ['x'.repeat(640_000)] };
    }
    try {
      const archives = Array.from({ length: 20 }, () => zipStream(files()).next());
      await Promise.all(archives);
    } finally {
      isPacking = false;
      push.mockRestore();
    }
    // Each of twenty archives has ten pieces and an end.
    expect(packedIn.length).toBeGreaterThanOrEqual(200);
    const most = Math.max(...packedIn.map((at) => packedIn.filter((other) => other === at).length));
    expect(most).toBeLessThanOrEqual(4);
  });

  it('is given to a logged-in learner, three times an hour', async () => {
    const { method, path: url } = exportOwnData;
    expect((await app.inject({ method, url })).statusCode).toBe(401);
    const eager = await app.newLearner();
    const answers = await Promise.all(
      Array.from({ length: exportOwnData.limit.max + 1 }, () => request(eager)),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 429]);
    await sql`delete from users where id = ${friend.userId}`.execute(app.database);
    await expect(exportDirectly(friend.userId)).rejects.toMatchObject({ row: 'userNotFound' });
  });
});
