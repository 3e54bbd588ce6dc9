import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { seatSilently } from '../../../test/silent-seats.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { visitsOfSeats } from '../focus/index.ts';
import { createRoomsRepository } from './rooms.repository.ts';
import { RoomsService } from './rooms.service.ts';
import { createSilentSeatSweep } from './silent-seats.ts';

const LEARNERS = 2_500;
const SLICES = 3;
const ROUND_MS = 20_000;

const { app } = await openTestSite();
afterEach(() => app.empty('seat', 'study_room', 'visit', 'users'));

/** Seats everybody silently, in a site that has looked for silence for a minute. */
async function openSilentSite() {
  const repository = createRoomsRepository(app.database, visitsOfSeats);
  const rooms = new RoomsService({
    repository,
    backplane: { processes: 1 },
    clock: app.clock,
    capacity: 20,
  });
  const giveUp = createSilentSeatSweep({ repository, clock: app.clock, rooms });
  for (let round = 0; round < 4; round += 1) {
    await giveUp();
    app.clock.advance(ROUND_MS);
  }
  await seatSilently(app.database, LEARNERS, app.clock.now());
  app.queries.length = 0;
  return { rooms, giveUp };
}

const seatsLeft = async () => {
  const { rows } = await sql<{ email: string }>`
    select email from seat join users on users.id = user_id`.execute(app.database);
  return rows.map(({ email }) => email);
};

it('very many silent seats are given up a slice a statement, each with its change', async () => {
  const { rooms, giveUp } = await openSilentSite();
  const left = new Set<number>();
  rooms.onRoster(({ type, userId }) => type === 'left' && left.add(userId));
  expect(await giveUp()).toBe(LEARNERS);
  expect(app.queries.filter((query) => query.includes('delete from seat'))).toHaveLength(SLICES);
  expect([left.size, await seatsLeft()]).toEqual([LEARNERS, []]);
  const { rows } = await sql<{ occupancy: number; open: number }>`
    select (select sum(occupancy)::integer from study_room) as occupancy,
           (select count(*) from visit where ended_at is null) as open`.execute(app.database);
  expect(rows).toEqual([{ occupancy: 0, open: 0 }]);
});

it('a silent seat that cannot be given up keeps none of the others', async () => {
  const { giveUp } = await openSilentSite();
  // Not a millisecond more fits into this sum.
  await sql`
    update study_record set focus_ms = 9223372036854775807
    where user_id = (select id from users where email = '1200@silent')`.execute(app.database);
  await expect(giveUp()).rejects.toThrow('bigint out of range');
  expect(await seatsLeft()).toEqual(['1200@silent']);
});

it('a sweep that takes long is no pause of the site: the next one gives up seats, too', async () => {
  const { rooms, giveUp } = await openSilentSite();
  rooms.onRoster(() => app.clock.advance(60));
  expect(await giveUp()).toBe(LEARNERS);
  await sql`delete from users where email like '%@silent'`.execute(app.database);
  await seatSilently(app.database, 5, app.clock.now());
  expect(await giveUp()).toBe(5);
});
