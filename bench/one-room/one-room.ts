import path from 'node:path';
import { BOARD_ELEMENTS_MAX, BOARD_MAX_BYTES } from '@mogakgong/contract';
import { type Generator, startGenerator } from '../support/generator.ts';
import { cpuSeconds, machineLine } from '../support/processes.ts';
import {
  inRunDir,
  newSecret,
  orStop,
  type RunDatabase,
  type SeatedLearner,
  seatLearners,
  startApi,
  startDatabase,
} from '../support/product.ts';
import { percentile, tableRow } from '../support/statistics.ts';
import type { LoadRequest, Measured } from './load.ts';

/**
 * 19 learners of one room ask for its full board once a second each, as often as they may, while 200 others
 * ask for today and profile and chat: what the others wait for, without and with the 19.
 *
 *     npm run bench:one-room -- [seconds]
 */
const SECONDS = Number(process.argv[2] ?? 30);
const WARM_UP_SECONDS = 8;
const MEMBERS = 20;
const OTHER_ROOMS = 10;
const READERS = 19;

/** As many elements as a board takes, and nearly as many bytes. */
async function fillBoard(database: RunDatabase, { roomId, userId }: SeatedLearner): Promise<void> {
  const bytes = Math.floor(BOARD_MAX_BYTES / BOARD_ELEMENTS_MAX) - 10;
  const element = { id: 'e0000', type: 'text', version: 1, versionNonce: 1, isDeleted: false };
  const text = 'x'.repeat(bytes - JSON.stringify({ ...element, text: '' }).length);
  const json = JSON.stringify({ ...element, text });
  const count = BOARD_ELEMENTS_MAX;
  await database.query(
    `insert into board (room_id, epoch, number, elements, bytes, changed_at)
     select id, epoch, ${count}, ${count}, ${count * json.length}, now() from study_room where id = ${roomId}`,
  );
  await database.query(
    `insert into board_element
     select room_id, epoch, 'e' || n, 1, 1, n - 999, false, ${userId}, replace($1, 'e0000', 'e' || n),
            ${json.length}, now()
     from board, generate_series(1000, ${999 + count}) as n where room_id = ${roomId}`,
    [json],
  );
}

interface Phase {
  readonly name: string;
  readonly others: Measured;
  /** Processor time of the API for each second, in seconds. */
  readonly cpu: number;
  readonly reads: string;
}

async function measure(runDir: string): Promise<readonly Phase[]> {
  const database = await startDatabase(runDir);
  const secret = newSecret();
  const learners = await seatLearners(database.url, {
    rooms: OTHER_ROOMS + 1,
    members: MEMBERS,
    secret,
  });
  const [first] = learners as [SeatedLearner];
  const room = learners.filter(({ roomId }) => roomId === first.roomId);
  const others = learners.filter(({ roomId }) => roomId !== first.roomId);
  const reading = room.slice(0, READERS);
  await fillBoard(database, first);
  const paths = reading.map(({ roomId }) => `/api/study-rooms/${roomId}/board`);
  const env = { DATABASE_URL: database.url, AUTH_SECRET: secret };
  const api = await orStop(database, startApi({ runDir, name: 'api', env }));
  const file = path.join(import.meta.dirname, 'load.ts');
  const [besides, readers] = [
    startGenerator<LoadRequest>(file),
    startGenerator<LoadRequest>(file),
  ] as const;
  try {
    await besides.ask({ do: 'connect', port: api.port, learners: others });
    await readers.ask({ do: 'meet', port: api.port, learners: reading });
    await besides.ask({ do: 'live', seconds: WARM_UP_SECONDS });
    const phase = async (name: string, reader?: Generator<LoadRequest>): Promise<Phase> => {
      const before = cpuSeconds([api.pid()]);
      const [measured, reads = '—'] = await Promise.all([
        besides.ask({ do: 'live', seconds: SECONDS }),
        reader?.ask({ do: 'read', paths, seconds: SECONDS }),
      ]);
      const cpu = (cpuSeconds([api.pid()]) - before) / SECONDS;
      return { name, others: measured as Measured, cpu, reads: String(reads) };
    };
    return [await phase('without the 19'), await phase('with the 19', readers)];
  } finally {
    await Promise.all([besides.stop(), readers.stop()]);
    await api.stop();
    await database.stop();
  }
}

const three = (samples: readonly number[]) =>
  [0.5, 0.95, 0.99].map((share) => percentile(samples, share).toFixed(1)).join(' / ');

const phases = await inRunDir(measure);
console.log(`\n${machineLine()}; ${SECONDS} s each\n`);
const columns = [
  'the 200 others',
  'HTTP: p50 / p95 / p99 ms',
  'chat: p50 / p95 / p99 ms',
  'processor of the API',
  'boards read / refused / failed, MB/s',
];
console.log(tableRow(...columns));
console.log(tableRow('---', ...columns.slice(1).map(() => '---:')));
for (const { name, others, cpu, reads } of phases) {
  const cores = `${(cpu * 100).toFixed(0)} %`;
  console.log(tableRow(name, three(others.httpMs), three(others.chatMs), cores, reads));
}
const [quiet, busy] = phases as [Phase, Phase];
const p99 = (of: (phase: Phase) => readonly number[]) =>
  (percentile(of(busy), 0.99) / percentile(of(quiet), 0.99)).toFixed(2);
console.log(
  `\np99 with ÷ without: HTTP ${p99(({ others }) => others.httpMs)}, chat ${p99(({ others }) => others.chatMs)}; ` +
    `HTTP failures ${quiet.others.failures} and ${busy.others.failures}`,
);
