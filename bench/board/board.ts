import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { BOARD_ELEMENTS_MAX, BOARD_MAX_BYTES } from '@mogakgong/contract';
import { startOurs } from '../chat/targets.ts';
import { type Generator, startGenerator } from '../support/generator.ts';
import { cpuSeconds, machineLine } from '../support/processes.ts';
import { inRunDir } from '../support/product.ts';
import { tableRow, threePercentiles } from '../support/statistics.ts';
import type { Artist, Drawn } from './artists.ts';
import type { LoadRequest } from './load.ts';

/**
 * Twenty learners draw on one board: processor time and bytes a change, and how long until it is stored
 * and until others have it; ours, and a bare `ws` relay of the same changes in the same run. Then how long
 * a full board takes to read.
 *
 *     npm run bench:board -- [seconds]
 */
const SECONDS = Number(process.argv[2] ?? 20);
const WARM_UP_SECONDS = 8;
const LEARNERS = 20;
const SEED = 1;
/** All elements that a board takes, and nearly all bytes. */
const FULL = {
  elements: BOARD_ELEMENTS_MAX,
  bytes: Math.floor((BOARD_MAX_BYTES * 0.93) / BOARD_ELEMENTS_MAX),
};
const READS = 30;

interface BoardTarget {
  readonly name: string;
  readonly isOurs: boolean;
  readonly port: number;
  readonly artists: readonly Artist[];
  /** Those on another board. */
  readonly fillers: readonly Artist[];
  serverPids(): number[];
  databasePids(): number[];
  stop(): Promise<unknown>;
}

interface Cost extends Drawn {
  readonly name: string;
  /** Processor time of the server a change, in µs; the database's beside it. */
  readonly serverMicros: number;
  readonly databaseMicros: number;
}

async function startProduct(runDir: string): Promise<BoardTarget> {
  const target = await startOurs(runDir, { rooms: 2, members: LEARNERS });
  const [first] = target.members;
  const [artists = [], fillers = []] = Object.values(
    Object.groupBy(target.members, ({ roomId }) => (roomId === first?.roomId ? 'a' : 'b')),
  );
  return { ...target, name: 'mogakgong (checked, merged, stored)', isOurs: true, artists, fillers };
}

async function startRelay(): Promise<BoardTarget> {
  const child: ChildProcess = fork(
    path.resolve(import.meta.dirname, '../peers/board-relay.mjs'),
    [],
    {
      execArgv: [],
    },
  );
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const artists = Array.from({ length: LEARNERS }, (_, index) => ({
    ...{ userId: index + 1, roomId: 1, token: '' },
  }));
  return {
    name: 'bare `ws` relay',
    isOurs: false,
    port,
    artists,
    fillers: [],
    serverPids: () => [child.pid ?? 0],
    databasePids: () => [],
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

async function draw(target: BoardTarget, generator: Generator<LoadRequest>): Promise<Cost> {
  const { name, isOurs, port, artists, serverPids, databasePids } = target;
  await generator.ask({ do: 'open', spec: { isOurs, port, artists, seed: SEED } });
  await generator.ask({ do: 'draw', seconds: WARM_UP_SECONDS });
  const [server, database] = [serverPids(), databasePids()];
  const before = [cpuSeconds(server), cpuSeconds(database)] as const;
  const drawn = (await generator.ask({ do: 'draw', seconds: SECONDS })) as Drawn;
  const after = [cpuSeconds(server), cpuSeconds(database)] as const;
  await generator.ask({ do: 'close' });
  const micros = (seconds: number) => (seconds * 1e6) / drawn.changes;
  return {
    ...drawn,
    name,
    serverMicros: micros(after[0] - before[0]),
    databaseMicros: micros(after[1] - before[1]),
  };
}

/** How long each of some readers waits for the whole board, in ms, and its bytes. */
async function readBoard({ port, fillers }: BoardTarget): Promise<Read> {
  const waitsMs: number[] = [];
  let [bytes, elements] = [0, 0];
  for (let read = 0; read < READS; read += 1) {
    const artist = fillers[read % fillers.length];
    if (!artist) throw new Error('nobody reads');
    const startMs = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/study-rooms/${artist.roomId}/board`, {
      headers: { authorization: `Bearer ${artist.token}` },
    });
    const body = await answer.text();
    waitsMs.push(performance.now() - startMs);
    if (!answer.ok) throw new Error(`${answer.status}: ${body.slice(0, 300)}`);
    bytes = Buffer.byteLength(body);
    elements = (JSON.parse(body) as { elements: unknown[] }).elements.length;
  }
  return { waitsMs, bytes, elements };
}

const digits = (value: number, count = 1) => value.toFixed(count);

function printDrawing([ours, relay]: readonly [Cost, Cost]): void {
  console.log(`\n${machineLine()}; ${LEARNERS} learners draw on one board for ${SECONDS} s\n`);
  const columns = [
    'server',
    'changes/s',
    'KB a change',
    'µs a change (+ database)',
    'KB that each learner receives a change',
    'stored: p50 / p95 / p99 ms',
    'at others: p50 / p95 / p99 ms',
  ];
  console.log(tableRow(...columns));
  console.log(tableRow('---', ...columns.slice(1).map(() => '---:')));
  for (const cost of [ours, relay]) {
    const { name, changes, changedBytes, receivedBytes, serverMicros, databaseMicros } = cost;
    console.log(
      tableRow(
        name,
        Math.round(changes / SECONDS),
        digits(changedBytes / changes / 1_024, 2),
        digits(serverMicros) + (databaseMicros > 0 ? ` (+ ${digits(databaseMicros)})` : ''),
        digits(receivedBytes / changes / LEARNERS / 1_024, 2),
        cost.receiptsMs.length > 0 ? threePercentiles(cost.receiptsMs) : '—',
        threePercentiles(cost.othersMs),
      ),
    );
  }
  const ratio = ours.serverMicros / relay.serverMicros;
  const whole = (ours.serverMicros + ours.databaseMicros) / relay.serverMicros;
  const bytes = ours.receivedBytes / ours.changes / (relay.receivedBytes / relay.changes);
  console.log(
    `\nours ÷ relay: processor ${digits(ratio, 2)}, with the database ${digits(whole, 2)}; bytes ${digits(bytes, 2)}`,
  );
}

interface Read {
  readonly waitsMs: readonly number[];
  readonly bytes: number;
  readonly elements: number;
}

/** Others fill a board of their own, and read it. */
async function fillAndRead(target: BoardTarget, generator: Generator<LoadRequest>): Promise<Read> {
  const { isOurs, port, fillers } = target;
  await generator.ask({ do: 'open', spec: { isOurs, port, artists: fillers, seed: SEED } });
  await generator.ask({ do: 'fill', ...FULL });
  const read = await readBoard(target);
  await generator.ask({ do: 'close' });
  return read;
}

const measure = <Result>(
  start: (runDir: string) => Promise<BoardTarget>,
  work: (target: BoardTarget, generator: Generator<LoadRequest>) => Promise<Result>,
) =>
  inRunDir(async (runDir) => {
    const generator = startGenerator<LoadRequest>(path.join(import.meta.dirname, 'load.ts'));
    try {
      const target = await start(runDir);
      try {
        return await work(target, generator);
      } finally {
        await target.stop();
      }
    } finally {
      await generator.stop();
    }
  });

const ours = await measure(startProduct, async (target, generator) => ({
  drawing: await draw(target, generator),
  reading: await fillAndRead(target, generator),
}));
const relay = await measure(startRelay, draw);
printDrawing([ours.drawing, relay]);
const { waitsMs, bytes, elements } = ours.reading;
console.log(
  `\na board of ${elements} elements, ${digits(bytes / 1_024 / 1_024, 2)} MB, read ${READS} times: ` +
    `p50 / p95 / p99 ${threePercentiles(waitsMs)} ms`,
);
