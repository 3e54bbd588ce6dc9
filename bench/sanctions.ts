import { untilServing } from '../test/connect-to-process.ts';
import {
  type ApiProcess,
  askMediaToken,
  ban,
  connectChat,
  enter,
  joinMedia,
  newLearner,
  newModerator,
  type ProcessLearner,
  reportAndClaim,
} from '../test/process-learners.ts';
import { startRedis } from '../test/redis-server.ts';
import { startStack } from '../test/running-stack.ts';
import { percentile, tableRow } from './support/statistics.ts';

/**
 * From the request that decides a ban to the end of the person's connections: chat at the process that
 * decides, chat at the other one, and media, through the other one. On the real stack with two API
 * processes and Redis; Linux only.
 *
 *     npm run bench:sanctions [bans]
 */
const BANS = Number(process.argv[2] ?? 50);
const ends = ['answer', 'chat here', 'chat elsewhere', 'media'] as const;

interface People {
  readonly reporter: ProcessLearner;
  readonly moderator: ProcessLearner;
}

/** Milliseconds from the request to each end. */
async function timeBan(here: ApiProcess, there: ApiProcess, people: People): Promise<number[]> {
  const { reporter, moderator } = people;
  const offender = await newLearner(there);
  const roomId = await enter(here, reporter);
  if ((await enter(there, offender)) !== roomId) throw new Error('they are not seated together');
  const chats = [
    await connectChat(here, offender, roomId),
    await connectChat(there, offender, roomId),
  ];
  const { reply } = await askMediaToken(there, offender, roomId);
  const media = await joinMedia(there, reply.token);
  const caseId = await reportAndClaim(here, { reporter, offender, moderator, roomId });
  const startMs = performance.now();
  const answered = ban(here, moderator, caseId).then(() => performance.now());
  const atMs = await Promise.all([answered, ...[...chats, media].map((each) => each.closedAtMs)]);
  return atMs.map((ms) => ms - startMs);
}

async function run(): Promise<void> {
  const [first, second] = await untilServing(stack, 2);
  const [one, other] = [
    { stack, pid: first ?? 0 },
    { stack, pid: second ?? 0 },
  ] as const;
  const people = { reporter: await newLearner(one), moderator: await newModerator(other) };
  const bans: number[][] = [];
  while (bans.length < BANS) {
    const isOdd = bans.length % 2 === 1;
    bans.push(await timeBan(isOdd ? other : one, isOdd ? one : other, people));
  }
  console.log(tableRow(`decision → (${BANS} bans)`, 'p50 ms', 'p95 ms', 'max ms'));
  console.log(tableRow('---', '---:', '---:', '---:'));
  const rows = ends.map((name, index) => ({ name, ms: bans.map((times) => times[index] ?? 0) }));
  const last = bans.map((times) => Math.max(...times.slice(1)));
  for (const { name, ms } of [...rows, { name: 'out of everything', ms: last }]) {
    console.log(
      tableRow(name, ...[0.5, 0.95, 1].map((share) => Math.round(percentile(ms, share)))),
    );
  }
}

const redis = await startRedis();
const env = { API_PROCESSES: '2', REDIS_URL: redis.url };
const stack = await startStack('bench-sanctions', env);
try {
  await run();
} finally {
  await stack.stop();
  await redis.close();
}
