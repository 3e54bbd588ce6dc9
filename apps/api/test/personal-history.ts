import { randomBytes, randomUUID } from 'node:crypto';
import { changeProfileImage, type UserId, uploadImage } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { PersonalTable } from '../src/features/privacy/data-rules.ts';
import { personalTables } from '../src/features/privacy/personal-data.ts';
import { formOf } from './form.ts';
import { newJpeg } from './pictures.ts';
import type { Learner, TestApp } from './test-app.ts';

/** Texts unique to one learner: searching for them finds remains of the account. */
export interface PersonalMarks {
  readonly introduction: string;
  readonly message: string;
  readonly drawing: string;
  readonly task: string;
  readonly studySubject: string;
  readonly newEmail: string;
  readonly browser: string;
  readonly report: string;
  readonly appeal: string;
}

/**
 * Gives a learner a row in every table with personal data, with texts that can be found again.
 * @param friend a learner with blocks in both directions.
 */
export async function givePersonalHistory(
  app: TestApp,
  learner: Learner,
  friend: Learner,
): Promise<PersonalMarks> {
  const mark = (kind: string) => `${kind} ${randomBytes(8).toString('hex')}`;
  const marks: PersonalMarks = {
    introduction: mark('introduction'),
    message: mark('"message", with\n한글'),
    drawing: mark('drawing'),
    task: mark('task'),
    studySubject: mark('subject of study'),
    newEmail: `${randomBytes(8).toString('hex')}@new.example`,
    browser: mark('browser'),
    report: mark('report'),
    appeal: mark('appeal'),
  };
  await choosePicture(app, learner);
  await app.seat(learner);
  await insertAccountRows(app, learner.userId, marks);
  await insertStudyRows(app, learner.userId, marks);
  await insertReports(app, learner, friend, marks);
  return { ...marks, ...(await fillOtherTables(app, learner.userId, friend.userId)) };
}

/** Uploads a new picture for a learner; returns its address. */
async function choosePicture(app: TestApp, learner: Learner): Promise<string> {
  const form = await formOf([{ bytes: await newJpeg() }]);
  const uploaded = await app.inject({
    method: uploadImage.method,
    url: uploadImage.path,
    payload: form.payload,
    headers: { ...learner.headers, ...form.headers },
  });
  const { imageUrl } = uploaded.json<{ imageUrl: string }>();
  await app.inject({
    method: changeProfileImage.method,
    url: changeProfileImage.path,
    payload: { newProfileImage: imageUrl },
    headers: learner.headers,
  });
  return imageUrl;
}

async function insertAccountRows(
  { database, clock }: TestApp,
  userId: UserId,
  marks: PersonalMarks,
): Promise<void> {
  const now = clock.now();
  const statements = [
    sql`update users set introduction = ${marks.introduction}, verified_email = email where id = ${userId}`,
    sql`update login_session set user_agent = ${marks.browser} where user_id = ${userId}`,
    sql`insert into sanction (user_id, kind, reason, imposed_at, ends_at, acknowledged_at, changed_at,
                              appeal_text, appealed_at)
        values (${userId}, 'warn', 'rudeness', ${now}, ${now}, ${now}, ${now}, ${marks.appeal}, ${now})`,
    sql`insert into push_device
        select id, user_id, 'https://push.example/' || user_id, ${randomBytes(65)}, ${randomBytes(16)}, 1, ${now}
        from login_session where user_id = ${userId} limit 1`,
    sql`insert into push_sent select session_id, 'event', user_id, ${now} from push_device
        where user_id = ${userId}`,
    sql`insert into password_reset
        select ${randomBytes(32)}::bytea, email, ${now}::timestamptz + interval '2 hours'
        from users where id = ${userId}`,
    sql`insert into email_change
        values (${userId}, ${marks.newEmail}, ${randomBytes(32)}, ${now}::timestamptz + interval '2 hours')`,
    sql`insert into chat_message
        select room_id, 1, 1, ${userId}, ${randomBytes(4).toString('hex')}, ${marks.message}, nickname,
               profile_image, ${now}
        from users join seat on seat.user_id = users.id where users.id = ${userId}`,
    sql`insert into chat_reaction
        select room_id, epoch, number, sender_id, 'clap', 1
        from chat_message where sender_id = ${userId}`,
    sql`with opened as (
          insert into board (room_id, epoch, changed_at)
          select room_id, 1, ${now} from seat where user_id = ${userId} returning room_id, epoch
        )
        insert into board_element
        select room_id, epoch, 'a', 1, 1, 1, false, ${userId}, ${JSON.stringify({ text: marks.drawing })},
               50, ${now} from opened`,
  ];
  for (const statement of statements) await statement.execute(database);
}

async function insertStudyRows(
  { database, clock }: TestApp,
  userId: UserId,
  marks: PersonalMarks,
): Promise<void> {
  const now = clock.now();
  const statements = [
    sql`insert into study_record (user_id, focus_ms) values (${userId}, 60000)
        on conflict (user_id) do update set focus_ms = excluded.focus_ms`,
    sql`insert into focus_interval
        select ${userId}, ${now}::timestamptz - interval '1 minute', ${now}, id, 'focus', false,
               'Asia/Seoul', 0
        from visit where user_id = ${userId}`,
    sql`insert into study_subject (user_id, name, name_key, position, created_at)
        values (${userId}, ${marks.studySubject}, 'subject', 1, ${now})`,
    sql`insert into study_subject_day
        select user_id, '2026-11-22', id, 60000 from study_subject where user_id = ${userId}`,
    sql`update study_record set subject_id = subject.id
        from study_subject as subject
        where study_record.user_id = ${userId} and subject.user_id = ${userId}`,
    sql`update focus_interval set subject_id = subject.id
        from study_subject as subject
        where focus_interval.user_id = ${userId} and subject.user_id = ${userId}`,
    sql`insert into manual_time (user_id, started_at, ended_at, day, time_zone, subject_id, entered_at)
        select user_id, ${now}::timestamptz - interval '3 hours', ${now}::timestamptz - interval '2 hours',
               ${now}::date, 'Asia/Seoul', id, ${now}
        from study_subject where user_id = ${userId} limit 1`,
    sql`insert into study_goal
        values (${userId}, 30, true, '2026-11-22', ${JSON.stringify([{ text: marks.task }])})`,
    sql`insert into hosted_room
        select room_id, user_id, 'TOEIC', '', true, false, false, ${randomBytes(18).toString('base64url')},
               ${now}, null, null, ${now} from seat where user_id = ${userId}`,
    sql`with made as (
          insert into study_group (room_id, name, goal, category, time_zone, day_start_minutes, rule_kind,
                                   rule_days, rule_minutes, rule_from, rule_until, is_listed,
                                   needs_approval, has_ranks, invitation, made_at, settled_day)
          select room_id, 'TOEIC', '', 'language', 'Asia/Seoul', 0, 'minutes', '{1}', 60, 0, 60, true, false,
                 false, ${randomBytes(18).toString('base64url')}, ${now}, '2026-11-21'
          from seat where user_id = ${userId} returning id
        ), joined as (
          insert into group_member (group_id, user_id, is_leader, joined_at, joined_day)
          select id, ${userId}, true, ${now}, '2026-11-20' from made returning group_id, user_id
        ), asked as (
          insert into group_request select user_id, group_id, ${now}, null from joined
        ), excused as (
          insert into group_excuse select user_id, group_id, '2026-11-23', ${now} from joined
        ), attended as (
          insert into group_day select user_id, group_id, '2026-11-21', 60000, 'partly', ${now} from joined
        ), session as (
          insert into group_session (group_id, days, from_minute, until_minute, made_at)
          select group_id, '{1}', 0, 60, ${now} from joined returning id, group_id
        )
        insert into group_session_day
        select ${userId}, id, '2026-11-22', group_id, ${now}, ${now}, true from session`,
    sql`insert into room_guest select user_id, room_id, 'admitted', ${now}, ${now}
        from seat where user_id = ${userId}`,
  ];
  for (const statement of statements) await statement.execute(database);
}

/** The two report each other, with a still; both are in the evidence. */
async function insertReports(
  { database, clock }: TestApp,
  learner: Learner,
  friend: Learner,
  marks: PersonalMarks,
): Promise<void> {
  const now = clock.now();
  const messages = [
    { senderId: learner.userId, nickname: learner.nickname, content: marks.message, sentAt: now },
    { senderId: friend.userId, nickname: friend.nickname, content: 'hello', sentAt: now },
  ];
  const statuses = [learner, friend].map(({ userId, nickname }) => ({
    userId,
    nickname,
    status: 'focus',
    since: now,
    leftAt: null,
  }));
  const report = (reporter: Learner, reported: Learner, description: string) => sql`
    with opened as (
      insert into report_case (reported_id, opened_at, last_report_at)
      values (${reported.userId}, ${now}, ${now}) returning id
    ), stored as (
      insert into report (case_id, reporter_id, reason, description, room_id, created_at, weight,
                          messages, statuses)
      select opened.id, ${reporter.userId}, 'ABUSE', ${description}, room_id, ${now}, 1,
             ${JSON.stringify(messages)}, ${JSON.stringify(statuses)}
      from opened cross join seat where user_id = ${learner.userId}
      returning id
    )
    insert into report_still select id, ${randomBytes(64)}, ${now} from stored`;
  await report(learner, friend, marks.report).execute(database);
  await report(friend, learner, `insults of ${learner.nickname}`).execute(database);
}

/** Values of the types of columns. */
const values: Readonly<Record<string, (now: Date) => unknown>> = {
  bool: () => false,
  bytea: () => randomBytes(32),
  date: () => '2026-11-22',
  int4: () => 1,
  int8: () => 1,
  jsonb: () => '{}',
  text: () => randomBytes(8).toString('hex'),
  timestamptz: (now) => now,
  uuid: () => randomUUID(),
  _bytea: () => [],
  _text: () => [],
};

/**
 * Gives the learner a row in every table with personal data that has none yet, made from the types of its
 * columns; where a row names two learners, both have one. A table that needs other values is filled above.
 * @returns the texts of these rows that the export has.
 */
async function fillOtherTables(
  app: TestApp,
  userId: UserId,
  friendId: UserId,
): Promise<Record<string, string>> {
  const marks: Record<string, string> = {};
  // Rows come after those that they refer to.
  for (const [table, rule] of Object.entries(personalTables).reverse()) {
    const { rows } = await sql`
      select from ${sql.table(table)} where ${sql.ref(rule.owner)} = ${userId}`.execute(
      app.database,
    );
    if (rows.length > 0) continue;
    Object.assign(marks, await insertRow(app, table, rule, [userId, friendId]));
    if (rule.alsoAbout) await insertRow(app, table, rule, [friendId, userId]);
  }
  await sql`update users set title_id = 1 where id = ${userId}`.execute(app.database);
  return marks;
}

/** @returns the texts that the export has. */
async function insertRow(
  { database, clock }: TestApp,
  table: string,
  { owner, alsoAbout, columns: names }: PersonalTable,
  [ownerId, otherId]: readonly [UserId, UserId],
): Promise<Record<string, string>> {
  const { rows: columns } = await sql<{ name: string; type: string }>`
    select column_name as name, udt_name as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table}
      and column_default is null and is_identity = 'NO' and is_generated = 'NEVER'
      -- A time that is null has not come yet.
      and (is_nullable = 'NO' or udt_name = 'text')`.execute(database);
  const room = sql`(select room_id from seat where user_id in (${ownerId}, ${otherId}) limit 1)`;
  const given = { room_id: room, [owner]: ownerId, ...(alsoAbout && { [alsoAbout]: otherId }) };
  const row: Record<string, unknown> = Object.fromEntries(
    columns.map(({ name, type }) => [name, values[type]?.(clock.now())]),
  );
  for (const name of Object.keys(row)) row[name] = (given as typeof row)[name] ?? row[name];
  await sql`
    insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(row))})`.execute(database);
  const texts = columns.filter(
    ({ name, type }) => type === 'text' && typeof names[name] === 'string',
  );
  return Object.fromEntries(texts.map(({ name }) => [`${table}.${name}`, String(row[name])]));
}
