import { randomUUID } from 'node:crypto';
import {
  addSubject,
  chooseSubject,
  destinations,
  exportIntervals,
  getStudyDays,
  getStudySubjects,
  getSubjects,
  MINUTE_MS,
  type Notice,
  type OwnSubjects,
  PERIOD_SUBJECTS_MAX,
  type PresenceMessage,
  type StudyDays,
  type StudySubjects,
  SUBJECTS_MAX,
  type SubjectId,
  showSubject,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withLastingLogIn } from '../../../test/lasting-log-in.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

let learner: Learner;
const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room'] });
beforeEach(async () => {
  learner = await withLastingLogIn(await app.newLearner());
});

const list = async (who = learner) =>
  (await app.inject({ url: getSubjects.path, headers: who.headers })).json<OwnSubjects>();
const add = (name: string, who = learner, at = app) =>
  at.inject({ method: 'POST', url: addSubject.path, payload: { name }, headers: who.headers });
const change = (id: number, payload: object, who = learner) =>
  app.inject({ method: 'PATCH', url: `/api/subjects/${id}`, payload, headers: who.headers });
const remove = (id: number, who = learner) =>
  app.inject({ method: 'DELETE', url: `/api/subjects/${id}`, headers: who.headers });
const choose = (subjectId: SubjectId | null, press?: object, who = learner) =>
  app.inject({
    method: 'PUT',
    url: chooseSubject.path,
    payload: { subjectId, press },
    headers: who.headers,
  });

/** Adds subjects by their names; returns their ids. */
async function addAll<const Names extends readonly string[]>(...names: Names) {
  for (const name of names) expect((await add(name)).statusCode).toBe(200);
  const { subjects } = await list();
  return names.map((name) => subjects.find((one) => one.name === name)?.id) as {
    [Place in keyof Names]: SubjectId;
  };
}

const namesOf = ({ subjects }: OwnSubjects) => subjects.map(({ name }) => name);

/** Focus of all days by name in seconds: '' for focus without a subject. */
async function focusBySubject(): Promise<Record<string, number>> {
  const query = { from: '2026-01-01', to: '2026-12-31' };
  const { headers } = learner;
  const { subjects, days } = (
    await app.inject({ url: getStudySubjects.path, query, headers })
  ).json<StudySubjects>();
  const whole = (await app.inject({ url: getStudyDays.path, query, headers })).json<StudyDays>();
  expect(days.map(({ day, focusMs }) => [day, focusMs.reduce((sum, ms) => sum + ms, 0)])).toEqual(
    whole.days.filter(({ focusMs }) => focusMs > 0).map(({ day, focusMs }) => [day, focusMs]),
  );
  return Object.fromEntries(subjects.map(({ name, focusMs }) => [name ?? '', focusMs / 1_000]));
}

/** Focuses in the seat for so many minutes, with a steady connection. */
async function studyFor(minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 1) {
    app.clock.advance(MINUTE_MS);
    await app.recordSeen(learner);
  }
}

describe('the list of subjects', () => {
  it('is empty at first, and keeps the order in which they were added', async () => {
    const none = { subjects: [], currentId: null, recentIds: [], isShown: false };
    expect(await list()).toEqual(none);
    await addAll('수학', '영어', '국어');
    expect(namesOf(await list())).toEqual(['수학', '영어', '국어']);
  });

  it('stores a name composed and on one line', async () => {
    await add(`  ${'수학'.normalize('NFD')} \n Ⅱ\u0007 `);
    expect(namesOf(await list())).toEqual(['수학 Ⅱ']);
  });

  it.each(['', '   ', '\u200b', '\u0007', '가'.repeat(21), 'a'.repeat(201)])(
    'refuses the name %j',
    async (name) => {
      expect((await add(name)).statusCode).toBe(400);
      expect((await list()).subjects).toEqual([]);
    },
  );

  it('has a name once, without regard to case', async () => {
    const [english, math] = await addAll('English', 'Math');
    expect((await add('ENGLISH')).json()).toMatchObject({ error: 'subjectExists' });
    expect((await change(math, { name: 'english' })).statusCode).toBe(409);
    expect((await change(english, { name: 'ENGLISH' })).statusCode).toBe(200);
    expect(namesOf(await list())).toEqual(['ENGLISH', 'Math']);
  });

  it('adds a name once when two tabs add it at the same moment', async () => {
    const other = await createTestApp({ besides: app });
    try {
      const answers = await Promise.all([add('수학'), add('수학', learner, other)]);
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    } finally {
      await other.close();
    }
    expect(namesOf(await list())).toEqual(['수학']);
  });

  it('holds thirty', async () => {
    for (let n = 0; n < SUBJECTS_MAX; n += 1) await add(`과목 ${n}`);
    expect((await add('하나 더')).json()).toMatchObject({ error: 'tooManySubjects' });
    const [first] = (await list()).subjects;
    await remove(first?.id ?? 0);
    expect((await add('하나 더')).statusCode).toBe(200);
  });

  it('is put into another order', async () => {
    const [math, english, korean] = await addAll('수학', '영어', '국어');
    await change(korean, { position: 0 });
    expect(namesOf(await list())).toEqual(['국어', '수학', '영어']);
    await change(math, { position: SUBJECTS_MAX });
    expect(namesOf(await list())).toEqual(['국어', '영어', '수학']);
    await change(english, { position: 0, name: 'English' });
    expect(namesOf(await list())).toEqual(['English', '국어', '수학']);
  });

  it('is one’s own: others neither see nor change nor use it', async () => {
    const [math] = await addAll('수학');
    const other = await app.newLearner();
    expect((await list(other)).subjects).toEqual([]);
    const answers = [
      await change(math, { name: '영어' }, other),
      await change(math, { position: 0 }, other),
      await remove(math, other),
      await choose(math, undefined, other),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    expect(namesOf(await list())).toEqual(['수학']);
  });

  it('tells every tab that it has changed, and nobody else', async () => {
    const neighbour = await app.newLearner();
    const roomId = await app.seat(learner);
    await app.seat(neighbour, roomId);
    const own = await (await clients.connectAs(app, learner)).subscribe(destinations.notices);
    const others = await clients.connectAs(app, neighbour);
    const seen = [
      await others.subscribe(destinations.notices),
      await others.subscribe(destinations.presence),
    ];
    const [math] = await addAll('은밀한 과목');
    await choose(math);
    const changed = () =>
      own
        .map(({ body }) => body as Notice)
        .flatMap((notice) => (notice.kind === 'changed' ? [notice.what] : []));
    await vi.waitFor(() => expect(changed()).toEqual(['subjects', 'subjects']));
    expect(JSON.stringify(seen)).not.toContain('은밀한');
    expect(JSON.stringify(seen)).not.toMatch(/subject/iu);
  });

  it('changes thirty times a minute', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' }, besides: app });
    try {
      const statuses = [];
      for (let n = 0; n < 31; n += 1)
        statuses.push((await add('수학', learner, limited)).statusCode);
      expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200, 409]));
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('the current subject', () => {
  it('is chosen before entering, counts the focus of the visit, and is kept for the next', async () => {
    const [math] = await addAll('수학');
    expect((await choose(math)).json()).toMatchObject({ currentId: math, clock: null });
    await app.seat(learner);
    await studyFor(3);
    await app.leave(learner);
    expect(await focusBySubject()).toEqual({ 수학: 180 });
    expect((await list()).currentId).toBe(math);
    await app.seat(learner);
    await studyFor(1);
    expect(await focusBySubject()).toEqual({ 수학: 240 });
  });

  it('splits focus when it changes: what came before keeps its own, and no time is lost', async () => {
    const [math, english] = await addAll('수학', '영어');
    const roomId = await app.seat(learner);
    await studyFor(1);
    await choose(math);
    await studyFor(2);
    const { clock } = (await choose(english)).json();
    expect(clock).toMatchObject({ status: 'focus', focusMs: 3 * MINUTE_MS });
    await studyFor(3);
    await app.move(learner, 'pause', roomId);
    await studyFor(4);
    await choose(null);
    await app.move(learner, 'resume', roomId);
    await studyFor(5);
    expect(await focusBySubject()).toEqual({ '': 360, 수학: 120, 영어: 180 });
    await app.leave(learner);
    expect(await focusBySubject()).toEqual({ '': 360, 수학: 120, 영어: 180 });
  });

  it('splits nothing when it is chosen again', async () => {
    const [math] = await addAll('수학');
    await choose(math);
    await app.seat(learner);
    await studyFor(1);
    await choose(math);
    await studyFor(1);
    await app.leave(learner);
    const { rows } = await sql`
      select from focus_interval where user_id = ${learner.userId}`.execute(app.database);
    expect(rows).toHaveLength(1);
  });

  it('counts from the moment of a press that is heard later, once', async () => {
    const [math] = await addAll('수학');
    await app.seat(learner);
    await studyFor(1);
    const press = { id: randomUUID(), atMs: app.clock.now().getTime() };
    app.clock.advance(30_000);
    expect((await choose(math, press)).json()).toMatchObject({ currentId: math });
    await choose(null);
    app.clock.advance(10_000);
    // Its answer was lost.
    expect((await choose(math, press)).json()).toMatchObject({ currentId: null });
    await app.leave(learner);
    expect(await focusBySubject()).toEqual({ '': 70, 수학: 30 });
  });

  it('does not follow a press of a visit that has ended', async () => {
    const [math] = await addAll('수학');
    await app.seat(learner);
    const press = { id: randomUUID(), atMs: app.clock.now().getTime() };
    app.clock.advance(1_000);
    await app.leave(learner);
    expect((await choose(math, press)).json()).toMatchObject({ currentId: null });
    app.clock.advance(1_000);
    await app.seat(learner);
    expect((await choose(math, press)).json()).toMatchObject({ currentId: null });
  });
});

describe('a subject that is renamed or removed', () => {
  it('is listed in statistics among the hundred with most focus; the others count as none', async () => {
    await sql`
      with removed as (
        insert into study_subject (user_id, name, name_key, position, created_at, removed_at)
        select ${learner.userId}, n, n, n, now(), now() from generate_series(1, 5000) as n
        returning user_id, id
      ), day as (
        insert into study_day select ${learner.userId}, '2026-03-01', 5000::bigint * 5001 / 2 * 1000, 0
      )
      insert into study_subject_day
      select user_id, '2026-03-01', id, 1000 * row_number() over (order by id) from removed`.execute(
      app.database,
    );
    const query = { from: '2026-03-01', to: '2026-03-01' };
    const answer = await app.inject({
      url: getStudySubjects.path,
      query,
      headers: learner.headers,
    });
    const { subjects, days } = answer.json<StudySubjects>();
    const listed = Array.from({ length: PERIOD_SUBJECTS_MAX }, (_, at) => (5_000 - at) * 1_000);
    const total = (5_000 * 5_001 * 1_000) / 2;
    const rest = total - listed.reduce((sum, ms) => sum + ms);
    expect(subjects.map(({ focusMs }) => focusMs)).toEqual([rest, ...listed]);
    expect(subjects[0]).toMatchObject({ id: null, name: null });
    expect(days).toEqual([{ day: '2026-03-01', focusMs: [rest, ...listed] }]);
  });

  it('has its past time under the new name', async () => {
    const [math] = await addAll('수학');
    await choose(math);
    await app.seat(learner);
    await studyFor(2);
    await app.leave(learner);
    await change(math, { name: '미적분' });
    expect(await focusBySubject()).toEqual({ 미적분: 120 });
  });

  it('keeps its time under its name, and focus goes on without it', async () => {
    const [math] = await addAll('수학');
    await choose(math);
    await app.seat(learner);
    await studyFor(2);
    const none = { subjects: [], currentId: null, recentIds: [math], isShown: false };
    expect((await remove(math)).json()).toEqual(none);
    await studyFor(1);
    expect(await focusBySubject()).toEqual({ 수학: 120, '': 60 });
    expect((await choose(math)).statusCode).toBe(404);
    expect((await remove(math)).statusCode).toBe(404);
  });

  it('comes back with its time when its name is added again', async () => {
    const [math] = await addAll('수학');
    await choose(math);
    await app.seat(learner);
    await studyFor(2);
    await app.leave(learner);
    await remove(math);
    expect((await add('수학')).json()).toEqual({
      subjects: [{ id: math, name: '수학' }],
      currentId: null,
      recentIds: [math],
      isShown: false,
    });
    await choose(math);
    await app.seat(learner);
    await studyFor(1);
    expect(await focusBySubject()).toEqual({ 수학: 180 });
  });

  it('is deleted if nothing was counted under it', async () => {
    const [math] = await addAll('수학');
    await choose(math);
    await remove(math);
    const { rows } = await sql`
      select from study_subject where user_id = ${learner.userId}`.execute(app.database);
    expect(rows).toHaveLength(0);
  });

  it('may give its name to another', async () => {
    const [math, english] = await addAll('수학', '영어');
    await choose(math);
    await app.seat(learner);
    await studyFor(1);
    await app.leave(learner);
    await remove(math);
    expect((await change(english, { name: '수학' })).json()).toMatchObject({
      subjects: [{ id: english, name: '수학' }],
    });
  });
});

describe('the files of focus', () => {
  it('name the subject, and no program takes a name for a formula', async () => {
    const [formula, quoted] = await addAll('=1+1', 'a "b", c');
    await choose(formula);
    await app.seat(learner);
    await studyFor(1);
    await choose(quoted);
    await studyFor(1);
    await choose(null);
    await studyFor(1);
    await app.leave(learner);
    const query = { from: '2026-01-01', to: '2026-12-31' };
    const { body } = await app.inject({
      url: exportIntervals.path,
      query,
      headers: learner.headers,
    });
    const [header, ...lines] = body.trimEnd().split('\r\n');
    expect(header).toMatch(/,time_zone,subject$/u);
    expect(lines.map((line) => line.split('Asia/Seoul,')[1])).toEqual([
      `"'=1+1"`,
      '"a ""b"", c"',
      '',
    ]);
  });
});

describe('a subject on the tile', () => {
  const show = (isShown: boolean) =>
    app.inject({
      method: 'PUT',
      url: showSubject.path,
      payload: { isShown },
      headers: learner.headers,
    });

  it('is seen by others only while its learner wants that, with its present name', async () => {
    const viewer = await withLastingLogIn(await app.newLearner());
    await app.seat(learner, await app.seat(viewer));
    const [math, english] = await addAll('수학', 'English');
    const seen = await (await clients.connectAs(app, viewer)).subscribe(destinations.presence);
    const subjects = () =>
      seen.map(({ body }) => {
        const message = body as PresenceMessage;
        if (message.kind !== 'change') return undefined;
        const { change: shown } = message;
        if (shown.type === 'updated') return shown.member.subject;
        return shown.type === 'clock' ? shown.subject : undefined;
      });
    const count = async () => seen.length;
    await choose(math);
    await vi.waitFor(async () => expect(await count()).toBeGreaterThan(1));
    expect(subjects().filter(Boolean)).toEqual([]);
    expect((await show(true)).json<OwnSubjects>().isShown).toBe(true);
    await vi.waitFor(() => expect(subjects().at(-1)).toBe('수학'));
    await choose(english);
    await vi.waitFor(() => expect(subjects().at(-1)).toBe('English'));
    await change(english, { name: '영어' });
    await vi.waitFor(() => expect(subjects().at(-1)).toBe('영어'));
    await show(false);
    await vi.waitFor(() => expect(subjects().at(-1)).toBeUndefined());
  });

  it('lists the subjects of the last days, the latest first', async () => {
    await app.seat(learner);
    const [math, english] = await addAll('수학', 'English');
    for (const id of [math, english, math, null]) {
      await choose(id);
      app.clock.advance(MINUTE_MS);
    }
    expect((await list()).recentIds).toEqual([math, english]);
  });
});
