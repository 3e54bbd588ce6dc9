import { type ChildProcess, fork } from 'node:child_process';
import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunDatabase } from '../support/product.ts';
import { compareBystanders } from './bystanders.ts';

/**
 * A break of 10,000 learners ends at one moment: each has a device that is told, beside 200 others. The push
 * service is a process of its own, which counts the messages of devices. Fails unless all are told in a minute.
 *
 *     npm run bench:push -- [devices]
 */
const DEVICES = Number(process.argv[2] ?? 10_000);
const SECONDS = 60;
/** From the preparation to the end of the break: the bystanders are measured without it before. */
const ENDS_IN_MS = 5_000;

async function startCounter(): Promise<{ readonly child: ChildProcess; readonly origin: string }> {
  const child = fork(new URL('push-counter.ts', import.meta.url));
  const [origin] = await once(child, 'message');
  return { child, origin };
}

/** Learners who follow a schedule, each with a device at the push service. */
async function addFollowers(database: RunDatabase, origin: string): Promise<void> {
  const p256dh = createECDH('prime256v1').generateKeys();
  await database.query(
    `with learner as (
       insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
       select 'follower' || n || '@example.org', 'follower' || n, '', '', 'default.jpg', 'LOCAL'
       from generate_series(1, $1::integer) as n returning id
     ), log_in as (
       insert into login_session (id, user_id, user_agent, created_at, token_hash, expires_at)
       select gen_random_uuid(), id, '', now(), '', now() + interval '1 day' from learner
       returning id, user_id
     ), choice as (
       insert into push_choice (user_id, kinds) select id, '{breakEnd}' from learner
     )
     insert into push_device (session_id, user_id, endpoint, p256dh, auth, key_number, added_at)
     select id, user_id, $2 || '/' || user_id, $3, $4, 1, now() from log_in`,
    [DEVICES, origin, p256dh, randomBytes(16)],
  );
  await database.query('analyze users, login_session, push_choice, push_device');
}

/** Their break of a minute ends at a moment. */
async function endBreaks(database: RunDatabase, atMs: number): Promise<void> {
  await database.query(
    `insert into visit (user_id, room_id, began_at, status, since, time_zone, day_start_minutes,
                        schedule_started_at, schedule_focus_minutes, schedule_break_minutes)
     select user_id, (select min(id) from study_room), now(), 'idle', now(), 'Asia/Seoul', 0,
            $1::timestamptz - interval '2 minutes', 1, 1
     from push_device`,
    [new Date(atMs)],
  );
}

const { child, origin } = await startCounter();
await compareBystanders(
  {
    name: `${DEVICES.toLocaleString('en')} notifications`,
    results: 'told, last after s',
    env: { PUSH_SERVICES: origin },
    prepare: async ({ database }) => {
      await addFollowers(database, origin);
      return {
        async run() {
          const endsAtMs = Date.now() + ENDS_IN_MS;
          await endBreaks(database, endsAtMs);
          await delay(SECONDS * 1_000 - ENDS_IN_MS);
          child.send('figures');
          const [{ told, lastAtMs }] = await once(child, 'message');
          if (told < DEVICES) process.exitCode = 1;
          return `${told.toLocaleString('en')}, ${((lastAtMs - endsAtMs) / 1_000).toFixed(1)}`;
        },
        async stop() {
          child.kill();
        },
      };
    },
  },
  SECONDS,
);
