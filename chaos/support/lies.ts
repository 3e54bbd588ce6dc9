import { seatLearners } from '../../bench/support/product.ts';
import type { Random } from '../../bench/support/random.ts';
import { castOf, MEMBERS } from './actors.ts';
import { type Damage, findDamage, type JudgedSite } from './fault-verdict.ts';
import { settledDamage } from './strike.ts';

/** A change behind the back of everybody, which the run must call by its name. */
interface Lie {
  readonly name: string;
  readonly isSeenAs: keyof Damage;
  /** On the first of two rooms, `$1`, and the learner `$2` who has left it. */
  readonly statement: string;
}

const lies: readonly Lie[] = [
  {
    name: 'an acknowledged message that is gone',
    isSeenAs: 'lost',
    statement: `delete from chat_message where room_id = $1 and number = 1`,
  },
  {
    name: 'a message that is stored twice',
    isSeenAs: 'doubled',
    statement: `insert into chat_message
      select (jsonb_populate_record(m, '{"number": 1001, "client_id": "again"}')).*
      from chat_message as m where room_id = $1 and number = 2`,
  },
  {
    name: 'a stroke that is gone',
    isSeenAs: 'lost',
    statement: `delete from board_element where id = (
      select min(id) from board_element where room_id = $1)`,
  },
  {
    name: 'an acknowledged press that is gone',
    isSeenAs: 'lost',
    statement: `update visit set since = since + interval '7 milliseconds' where ended_at is null and user_id in (
      select user_id from focus_interval join seat using (user_id) where room_id = $1)`,
  },
  {
    name: 'an acknowledged press that counted twice',
    isSeenAs: 'doubled',
    statement: `insert into focus_interval
      select (jsonb_populate_record(i, jsonb_build_object(
        'started_at', started_at - interval '1 second', 'ended_at', started_at))).*
      from focus_interval as i join seat using (user_id) where room_id = $1`,
  },
  {
    name: 'a seat that is counted and not there',
    isSeenAs: 'doubled',
    statement: `update study_room set occupancy = occupancy + 1 where id = $1`,
  },
  {
    name: 'a learner who left and sits in another room',
    isSeenAs: 'foreign',
    statement: `insert into seat (user_id, room_id, entered_at, last_seen_at)
      select $2, id, now(), now() from study_room where id <> $1 limit 1`,
  },
];

/** Plays every lie on learners who did everything once; the names of those that were not seen. */
export async function findLies(site: JudgedSite, random: Random): Promise<string[]> {
  const stopping = new AbortController();
  const learners = await seatLearners(site.database.url, {
    rooms: 2,
    members: MEMBERS,
    secret: site.secret,
    name: 'liar',
  });
  const { port } = site.proxy;
  const actors = castOf(learners, { port, random, signal: stopping.signal });
  try {
    await Promise.all(actors.map((actor) => actor.act()));
    let before = await settledDamage(site, actors);
    if (Object.values(before).some((count) => count > 0)) return ['a site without a fault as one'];
    const unseen: string[] = [];
    const leaver = actors.find(({ operation }) => operation === 'enter')?.learner;
    for (const { name, isSeenAs, statement } of lies) {
      // Every statement has both parameters.
      const given = `with given as (select $1::bigint, $2::bigint) ${statement}`;
      await site.database.query(given, [leaver?.roomId, leaver?.userId]);
      const after = await findDamage(site, actors);
      if (after[isSeenAs] <= before[isSeenAs]) unseen.push(name);
      before = after;
    }
    return unseen;
  } finally {
    stopping.abort();
    for (const actor of actors) actor.stop();
  }
}
