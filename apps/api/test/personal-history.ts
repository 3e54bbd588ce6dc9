import { randomBytes } from 'node:crypto';
import { changeProfileImage, type UserId, uploadImage } from '@mogakgong/contract';
import { sql } from 'kysely';
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
  readonly subject: string;
  readonly socialEmail: string;
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
    subject: mark('subject'),
    socialEmail: `${randomBytes(8).toString('hex')}@social.example`,
    newEmail: `${randomBytes(8).toString('hex')}@new.example`,
    browser: mark('browser'),
    report: mark('report'),
    appeal: mark('appeal'),
  };
  await choosePicture(app, learner);
  await app.seat(learner);
  await insertAccountRows(app, learner.userId, friend.userId, marks);
  await insertStudyRows(app, learner.userId, marks);
  await insertReports(app, learner, friend, marks);
  return marks;
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
  friendId: UserId,
  marks: PersonalMarks,
): Promise<void> {
  const now = clock.now();
  const statements = [
    sql`update users set introduction = ${marks.introduction} where id = ${userId}`,
    sql`update login_session set user_agent = ${marks.browser} where user_id = ${userId}`,
    sql`insert into second_factor values
        (${userId}, ${randomBytes(48)}, null, 0, array[${randomBytes(32)}]::bytea[])`,
    sql`insert into passkey values
        (gen_random_uuid(), ${userId}, ${randomBytes(16).toString('base64url')}, ${randomBytes(77)},
         3, '{internal}', 'phone', ${now}, ${now}, ${now})`,
    sql`insert into sanction (user_id, kind, reason, imposed_at, ends_at, acknowledged_at, changed_at,
                              appeal_text, appealed_at)
        values (${userId}, 'warn', 'rudeness', ${now}, ${now}, ${now}, ${now}, ${marks.appeal}, ${now})`,
    sql`insert into password_reset values (${randomBytes(32)}, ${userId}, ${now})`,
    sql`insert into email_change values (${userId}, ${marks.newEmail}, ${randomBytes(32)}, ${now})`,
    sql`insert into social_identity
        values ('google', 'realm', ${marks.subject}, ${userId}, ${marks.socialEmail}, ${now})`,
    sql`insert into block values (${userId}, ${friendId}, ${now}), (${friendId}, ${userId}, ${now})`,
    sql`insert into friendship values (${userId}, ${friendId}, ${now}), (${friendId}, ${userId}, ${now})`,
    sql`insert into friend_request (asker_id, asked_id, asked_at)
        values (${userId}, ${friendId}, ${now}), (${friendId}, ${userId}, ${now})`,
    sql`insert into friend_link values (${userId}, ${randomBytes(18).toString('base64url')}, ${now})`,
    sql`insert into chat_message
        select room_id, 1, 1, ${userId}, ${randomBytes(4).toString('hex')}, ${marks.message}, nickname,
               profile_image, ${now}
        from users join seat on seat.user_id = users.id where users.id = ${userId}`,
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
    sql`insert into study_day values (${userId}, '2026-11-22', 60000, 0)`,
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
    sql`insert into study_goal
        values (${userId}, 30, true, '2026-11-22', ${JSON.stringify([{ text: marks.task }])})`,
    sql`insert into leaderboard_member values (${userId}, ${now})`,
    sql`insert into user_title values (${userId}, 1, ${now}, 1)`,
    sql`update users set title_id = 1 where id = ${userId}`,
    sql`insert into title_occasion values (${userId}, 'dawns', '2026-11-22', 60000)`,
    sql`insert into hosted_room
        select room_id, user_id, 'TOEIC', '', true, false, false, ${randomBytes(18).toString('base64url')},
               ${now}, null, null, ${now} from seat where user_id = ${userId}`,
    sql`insert into timer_press values (${userId}, gen_random_uuid(), ${now}, ${now})`,
    sql`insert into room_guest select user_id, room_id, 'admitted', ${now}, ${now}
        from seat where user_id = ${userId}`,
    sql`insert into title_progress values (${userId}, ${now}, 60000)`,
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
