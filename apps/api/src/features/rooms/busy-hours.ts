import type { BusyHour } from '@mogakgong/contract';
import { sql } from 'kysely';
import { SLICE_ROWS } from '../../platform/database/index.ts';
import type { AppContext } from '../sanctions/index.ts';

/** The same hour of the last four weeks, by which the next one is estimated. */
const WEEKS = 4;
/** Fewer learners than this are not told: friends would know one or two of them by the hour. */
const LEARNERS_MIN = 3;
const DAY_HOURS = 24;
const COUNT_EVERY_MS = 5 * 60_000;

/**
 * How many learners are usually there in each hour of the next day: the mean of what the same hours of the last
 * weeks had at most. An hour without counts, or with few learners, is left out.
 */
export function createBusyHours({
  database,
  jobs,
  checkedClock: clock,
}: Pick<AppContext, 'database' | 'jobs' | 'checkedClock'>) {
  async function countLearners(): Promise<void> {
    const now = clock.now();
    await sql`
      with old as (
        delete from busy_hour where hour in (
          select hour from busy_hour
          where hour < ${now}::timestamptz - make_interval(weeks => ${WEEKS}, hours => 1)
          limit ${SLICE_ROWS}
        )
      )
      insert into busy_hour (hour, learners)
      select date_trunc('hour', ${now}::timestamptz), count(*) from seat where is_connected
      on conflict (hour) do update set learners = greatest(busy_hour.learners, excluded.learners)`.execute(
      database,
    );
  }
  jobs.add({ name: 'busy hours', everyMs: COUNT_EVERY_MS, runs: 'site', run: countLearners });

  return async function findBusyHours(): Promise<BusyHour[]> {
    const { rows } = await sql<BusyHour>`
      select ceil(extract(epoch from next.hour) * 1000)::float8 as "beginsAtMs",
             round(avg(learners))::integer as learners
      from generate_series(0, ${DAY_HOURS - 1}::integer) as ahead
      cross join lateral (
        select date_trunc('hour', ${clock.now()}::timestamptz) + make_interval(hours => ahead) as hour
      ) as next
      join busy_hour on busy_hour.hour in (
        select next.hour - make_interval(hours => week * 168) from generate_series(1, ${WEEKS}) as week
      )
      group by next.hour having round(avg(learners)) >= ${LEARNERS_MIN} order by next.hour`.execute(
      database,
    );
    return rows;
  };
}
