import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { visitsOfSeats } from '../apps/api/src/features/focus/index.ts';
import { createRoomsRepository, RoomsService } from '../apps/api/src/features/rooms/index.ts';
import { systemClock } from '../apps/api/src/platform/clock/index.ts';
import type { Database } from '../apps/api/src/platform/database/index.ts';
import { onDatabase } from './support/database.ts';
import { tableRow } from './support/statistics.ts';

/**
 * Enters per second, all of them at once, on a database that syncs every commit to disk. The floor in
 * the same run is one indexed insert a learner: what a seat would cost if there were nothing to match.
 *
 *     node bench/matching.ts [learners]
 */
const LEARNERS = Number(process.argv[2] ?? 100_000);
const CAPACITY = 20;

async function makeLearners(database: Database): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
    select 'bench' || n, 'bench' || n, '', '', '', 'LOCAL' from generate_series(1, ${LEARNERS}) as n
    returning id`.execute(database);
  return rows.map((row) => row.id);
}

/** Starts everything at once; the pool of ten connections decides what is under way. */
async function timePerSecond(
  learners: readonly UserId[],
  work: (id: UserId) => Promise<unknown>,
): Promise<number> {
  const startedAtMs = performance.now();
  await Promise.all(learners.map(work));
  return learners.length / ((performance.now() - startedAtMs) / 1_000);
}

async function assertSeatsAreTrue(database: Database): Promise<{ rooms: number; fill: number }> {
  const { rows } = await sql<{ seats: number; rooms: number; wrong: number }>`
    select (select count(*) from seat) as seats,
           (select count(*) from study_room) as rooms,
           (select count(*) from study_room
            where occupancy > ${CAPACITY}
               or occupancy <> (select count(*) from seat where room_id = study_room.id)) as wrong
  `.execute(database);
  const [found] = rows;
  if (!found || found.seats !== LEARNERS || found.wrong !== 0) {
    throw new Error(`seats are wrong: ${JSON.stringify(found)}`);
  }
  return { rooms: found.rooms, fill: found.seats / (found.rooms * CAPACITY) };
}

async function run(database: Database): Promise<void> {
  const learners = await makeLearners(database);
  await sql`create table floor_seat (user_id bigint primary key, room_id bigint not null)`.execute(
    database,
  );
  const floor = await timePerSecond(learners, (id) =>
    sql`insert into floor_seat values (${id}, 1)`.execute(database),
  );
  const rooms = new RoomsService({
    repository: createRoomsRepository(database, visitsOfSeats),
    backplane: { processes: 1 },
    clock: systemClock,
    capacity: CAPACITY,
  });
  const sessionId = crypto.randomUUID();
  const enter = await timePerSecond(learners, (id) =>
    rooms.enter({ userId: id, sessionId }, { beforeChange: async () => undefined }),
  );
  const { rooms: opened, fill } = await assertSeatsAreTrue(database);

  const round = (perSecond: number) => Math.round(perSecond).toLocaleString('en');
  console.log(tableRow('what', 'per second', 'ratio to floor', 'rooms', 'fill'));
  console.log(tableRow('---', '---:', '---:', '---:', '---:'));
  console.log(tableRow('one insert a learner (floor)', round(floor), '1.00', '', ''));
  console.log(
    tableRow(
      `enter, ${LEARNERS.toLocaleString('en')} at once`,
      round(enter),
      (enter / floor).toFixed(2),
      opened,
      `${(fill * 100).toFixed(1)} %`,
    ),
  );
}

await onDatabase({ acquireTimeoutMs: 10 * 60_000 }, run);
