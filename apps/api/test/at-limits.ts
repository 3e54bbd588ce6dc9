import {
  BLOCKS_MAX,
  BOARD_ELEMENTS_MAX,
  BOARD_IMAGE_MAX_BYTES,
  BOARD_MAX_BYTES,
  CASE_REPORTS_MAX,
  type CaseId,
  CHAT_PAGE_SIZE,
  EXPORT_MAX_INTERVALS,
  FRIENDS,
  PASSKEYS_MAX,
  type ReportId,
  type RoomId,
  STATISTICS_MAX_DAYS,
  SUBJECT_NAME_MAX_LENGTH,
  SUBJECTS_MAX,
  TIMETABLE_MAX_PARTS,
  type UserId,
  VISIT_MAX_INTERVALS,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { newText } from './drawings.ts';
import type { TestApp } from './test-app.ts';

/** The learner and rooms with many rows. */
export interface AtLimits {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly caseId: CaseId;
  readonly reportId: ReportId;
  /** The room that they host. */
  readonly hostedId: RoomId;
}

/** A day with more stretches of focus than its timetable shows. */
export const FULLEST_DAY = '2020-01-01';

/** Three bytes in UTF-8. */
const LETTER = '가';
const OTHERS = 2_000;

/** The JSON of the elements of a full board: the maximum number, and nearly the maximum size. */
function fullBoard(authorId: UserId): string[] {
  const element = { ...newText(''), customData: { authorId } };
  const rest =
    Math.floor(BOARD_MAX_BYTES / BOARD_ELEMENTS_MAX) - 20 - JSON.stringify(element).length;
  const text = LETTER.repeat(rest / 6);
  return Array.from({ length: BOARD_ELEMENTS_MAX }, (_, place) =>
    JSON.stringify({ ...element, id: `e${1_000 + place}`, text, originalText: text }),
  );
}

/**
 * Fills the tables of one learner, alone in `roomId`, up to their limits, or, for tables without a
 * limit, beyond realistic sizes. Triggers and foreign keys are disabled.
 */
export async function fillToLimits(
  app: TestApp,
  { userId, roomId, hostedId }: Pick<AtLimits, 'userId' | 'roomId' | 'hostedId'>,
): Promise<Pick<AtLimits, 'caseId' | 'reportId'>> {
  return app.database.connection().execute(async (db) => {
    const run = <Row>(statement: RawBuilder<Row>) => statement.execute(db);
    await run(sql`set session_replication_role = replica`);
    await run(sql`
      insert into users (id, email, nickname, password_hash, introduction, profile_image, social_provider)
      overriding system value
      select 100000 + n, n || '@limits', lpad(n::text, 20, ${LETTER}), '', '', '/images/' || repeat('a', 64) || '.webp', 'LOCAL'
      from generate_series(1, ${OTHERS}::integer) as n`);
    const others = (count: number) =>
      sql`(select 100000 + n as id, n from generate_series(1, ${count}::integer) as n) as other`;
    await run(sql`
      insert into friendship select ${userId}, id, now() from ${others(FRIENDS.max)}
      union all select id, ${userId}, now() from ${others(FRIENDS.max)}`);
    await run(sql`
      insert into friend_request select 1000 + id, ${userId}, now() from ${others(900)}
      union all select ${userId}, 1000 + id, now() from ${others(FRIENDS.openRequestsMax)}`);
    await run(sql`
      insert into leaderboard_member select id, now() from ${others(OTHERS)} union select ${userId}, now()`);
    await run(sql`
      insert into block (blocker_id, blocked_id, created_at)
      select ${userId}, 500 + id, now() from ${others(BLOCKS_MAX)}`);
    await run(sql`
      insert into room_guest select id, ${hostedId}, 'waiting', now(), now() from ${others(OTHERS)}`);
    await run(sql`
      insert into passkey select gen_random_uuid(), ${userId}, n::text, '', 0, '{}', repeat(${LETTER}, 40), now()
      from ${others(PASSKEYS_MAX)}`);
    await fillFocus(run, userId, roomId);
    await fillRoom(run, userId, roomId);
    await fillHostedRooms(run);
    const reports = await fillReports(run, userId, roomId);
    await fillPictures(run, roomId, reports.reportId);
    return reports;
  });
}

type Run = <Row>(statement: RawBuilder<Row>) => Promise<{ rows: Row[] }>;

/** Two years; in the last one as many intervals as an exported file holds, with long visits at its end. */
async function fillFocus(run: Run, userId: UserId, roomId: RoomId): Promise<void> {
  await run(sql`
    insert into study_subject (id, user_id, name, name_key, position, created_at)
    overriding system value
    select n, ${userId}, repeat(${LETTER}, 18) || n, n::text, n, now()
    from generate_series(1, ${SUBJECTS_MAX}::integer) as n`);
  await run(sql`
    insert into study_subject_day select ${userId}, current_date - day, subject, 1000
    from generate_series(1, 730) as day, generate_series(1, ${SUBJECTS_MAX}::integer) as subject`);
  await run(sql`
    insert into study_day select ${userId}, current_date - day, 36000000, 36000000 from generate_series(1, 730) as day`);
  const visit = sql`10000000 - (n / ${sql.lit(VISIT_MAX_INTERVALS + 1)})`;
  const began = sql`now() - make_interval(days => 1) - make_interval(mins => 10 * n)`;
  await run(sql`
    insert into visit (id, user_id, room_id, began_at, ended_at, status, since, time_zone, day_start_minutes)
    overriding system value
    select ${visit}, ${userId}, ${roomId},
           min(${began}), max(${began}) + interval '5 minutes', 'focus', min(${began}), 'Asia/Seoul', 0
    from generate_series(1, ${EXPORT_MAX_INTERVALS}::integer) as n
    group by 1`);
  await run(sql`
    insert into focus_interval (user_id, started_at, ended_at, visit_id, status, is_silence, time_zone,
                                day_start_minutes, subject_id)
    select ${userId}, ${began}, ${began} + interval '5 minutes',
           ${visit}, 'focus', false,
           'America/Argentina/ComodRivadavia', 0, 1 + n % ${SUBJECTS_MAX}
    from generate_series(1, ${EXPORT_MAX_INTERVALS}::integer) as n`);
  await run(sql`
    insert into focus_interval (user_id, started_at, ended_at, visit_id, status, is_silence, time_zone,
                                day_start_minutes, subject_id)
    select ${userId}, began_at, began_at + interval '20 seconds', 1, 'focus', false, 'Asia/Seoul', 0,
           1 + n % ${SUBJECTS_MAX}
    from generate_series(1, ${TIMETABLE_MAX_PARTS + 1}::integer) as n,
         lateral (select ${FULLEST_DAY}::date + n * interval '30 seconds' as began_at) as began`);
}

async function fillRoom(run: Run, userId: UserId, roomId: RoomId): Promise<void> {
  await run(sql`
    insert into chat_message
    select id, epoch, n, ${userId}, n::text, repeat(${LETTER}, 2000), 'n', 'default.jpg', now()
    from study_room, generate_series(1, ${4 * CHAT_PAGE_SIZE}::integer) as n where id = ${roomId}`);
  const texts = fullBoard(userId);
  const list = `[${texts.join(',')}]`;
  await run(sql`
    insert into board (room_id, epoch, number, elements, bytes, changed_at)
    select id, epoch, 2000, 2000, ${list.length}, now() from study_room where id = ${roomId}`);
  await run(sql`
    insert into board_element
    select room_id, epoch, 'e' || (999 + n), 1, 1, n, false, ${userId}, text, octet_length(text), now()
    from board, unnest(${texts}::text[]) with ordinality as element (text, n) where room_id = ${roomId}`);
}

async function fillHostedRooms(run: Run): Promise<void> {
  await run(sql`
    insert into study_room (id, capacity, entry) overriding system value
    select 100000 + n, 20, 'address' from generate_series(1, 500) as n`);
  await run(sql`
    insert into hosted_room (room_id, host_id, name, goal, is_public, needs_approval, needs_camera, invitation, opened_at)
    select 100000 + n, 100000 + n, repeat(${LETTER}, 30), repeat(${LETTER}, 60), true, true, true, n::text, now()
    from generate_series(1, 500) as n`);
}

/**
 * A case with more reports than are shown, with the longest conversations, and the other rows of its page.
 */
async function fillReports(
  run: Run,
  userId: UserId,
  roomId: RoomId,
): Promise<Pick<AtLimits, 'caseId' | 'reportId'>> {
  const reportedId = 100_001;
  const { rows: cases } = await run(sql<{ id: CaseId }>`
    insert into report_case (reported_id, opened_at, last_report_at) values (${reportedId}, now(), now())
    returning id`);
  const caseId = cases[0]?.id as CaseId;
  const message = {
    senderId: userId,
    nickname: 'n',
    content: LETTER.repeat(2_000),
    sentAt: new Date(),
  };
  const status = {
    userId,
    nickname: LETTER.repeat(20),
    status: 'focus',
    since: new Date(),
    leftAt: null,
    subject: LETTER.repeat(SUBJECT_NAME_MAX_LENGTH),
  };
  const [messages, statuses] = [new Array(50).fill(message), new Array(21).fill(status)];
  const insertReports = (
    count: number,
    reporterId: RawBuilder<unknown>,
    ofCase: RawBuilder<unknown>,
  ) =>
    run(sql<{ id: ReportId }>`
      insert into report (case_id, reporter_id, reason, description, room_id, created_at, weight, messages, statuses)
      select ${ofCase}, ${reporterId}, 'ABUSE', repeat(${LETTER}, 500), ${roomId}, now(), 1,
             ${JSON.stringify(messages)}, ${JSON.stringify(statuses)}
      from generate_series(1, ${count}::integer) as n returning id`);
  const { rows: reports } = await insertReports(
    2 * CASE_REPORTS_MAX,
    sql`100000 + n`,
    sql`${caseId}::bigint`,
  );
  await run(sql`
    insert into report_board
    select id, now(), ${`[${fullBoard(userId).join(',')}]`}::json, '[]' from report where id = ${reports[0]?.id}`);
  // The learner's own reports, and decided cases.
  const { rows: decided } = await run(sql<{ id: number }>`
    insert into report_case (reported_id, status, opened_at, last_report_at, decided_at, decision, decision_reason)
    select case when n % 2 = 0 then ${reportedId} else 100001 + n end, 'decided', now(), now(),
           now() - n * interval '1 minute', 'warn', repeat(${LETTER}, 500)
    from generate_series(1, 300) as n returning id`);
  await insertReports(300, sql`${userId}::bigint`, sql`${decided[0]?.id} - 1 + n`);
  await run(sql`
    insert into report_case (reported_id, opened_at, last_report_at)
    select 100002 + n, now(), now() from generate_series(1, 300) as n`);
  const sanction = (of: RawBuilder<unknown>, appealedAt: RawBuilder<unknown>) =>
    run(sql`
      insert into sanction (user_id, kind, reason, imposed_at, ends_at, appeal_text, appealed_at, changed_at)
      select ${of}, 'warn', repeat(${LETTER}, 500), now(), now(), repeat(${LETTER}, 1000), ${appealedAt}, now()
      from generate_series(1, 300) as n`);
  await sanction(sql`${reportedId}::bigint`, sql`now()`);
  await sanction(sql`${userId}::bigint`, sql`now()`);
  await run(sql`
    insert into audit_event (action, subject_id, details, at)
    select 'sanctionImposed', ${userId}, '{"kind": "warn", "days": 3}', now() from generate_series(1, 300) as n`);
  return { caseId, reportId: reports[0]?.id as ReportId };
}

/** A picture of the largest size: on the board and on the board of the report. */
export const LARGEST_PICTURE = 'a'.repeat(64);

async function fillPictures(run: Run, roomId: RoomId, reportId: ReportId): Promise<void> {
  const largest = Buffer.alloc(BOARD_IMAGE_MAX_BYTES, 7);
  await run(sql`
    insert into board_picture (id, image, added_at) values (${LARGEST_PICTURE}, ${largest}, now())`);
  await run(sql`
    insert into board_image (room_id, epoch, picture_id, used_at)
    select room_id, epoch, ${LARGEST_PICTURE}, now() from board where room_id = ${roomId}`);
  await run(sql`insert into report_board_image values (${reportId}, ${LARGEST_PICTURE})`);
  await run(sql`
    insert into report_still (report_id, image, taken_at) values (${reportId}, ${largest}, now())`);
}

/** The longest allowed period of the export and the statistics. */
export function longestPeriod(now: Date) {
  const day = (daysAgo: number) =>
    new Date(now.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return { from: day(STATISTICS_MAX_DAYS - 1), to: day(0) };
}
