import {
  destinations,
  equipTitle,
  errors,
  getOwnTitles,
  getProfile,
  getTitles,
  HOUR_MS,
  type OwnTitle,
  type PresenceMessage,
  titleCatalogue,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withLastingLogIn } from '../../../test/lasting-log-in.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

let learner: Learner;
const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room'] });
beforeEach(async () => {
  learner = await withLastingLogIn(await app.newLearner());
});

const pathOf = (path: string, { userId }: Learner) => path.replace(':userId', String(userId));
const listOf = (of: Learner, by = of) =>
  app.inject({ url: pathOf(getOwnTitles.path, of), headers: by.headers });
const equip = (titleId: number | string, of = learner, by = of) =>
  app.inject({
    method: 'POST',
    url: pathOf(equipTitle.path, of),
    query: { titleId: String(titleId) },
    headers: { ...by.headers, 'accept-language': 'en' },
  });

describe('the catalogue', () => {
  it('is open to all, in the language of the reader', async () => {
    const korean = await app.inject(getTitles.path);
    expect(korean.json()).toHaveLength(titleCatalogue.length);
    expect(korean.json<OwnTitle[]>()[0]).toEqual({
      titleId: 1,
      key: 'first-day',
      name: '나만의 책상',
      description: '처음 출석한 날',
      icon: 'desk',
      type: 'first',
    });
    const english = await app.inject({
      url: getTitles.path,
      headers: { 'accept-language': 'en-GB,en;q=0.9' },
    });
    expect(english.json<OwnTitle[]>()[0]?.name).toBe('A Desk of One’s Own');
  });

  it('is in the language of the page that asks, though tabs in another share its cookie', async () => {
    const headers = { 'accept-language': 'ko', cookie: 'mogakgong.language=en' };
    const asked = await app.inject({ url: getTitles.path, headers });
    expect(asked.json<OwnTitle[]>()[0]?.name).toBe('나만의 책상');
    const unsaid = await app.inject({ url: getTitles.path, headers: { cookie: headers.cookie } });
    expect(unsaid.json<OwnTitle[]>()[0]?.name).toBe('A Desk of One’s Own');
  });
});

it('lists titles and wears one in at most two queries each', async () => {
  await sql`
    insert into user_title (user_id, title_id, acquired_at, figure)
    values (${learner.userId}, 1, ${app.clock.now()}, 1)`.execute(app.database);
  for (const call of [() => listOf(learner), () => equip(1), () => equip('no-title')]) {
    app.queries.splice(0);
    expect((await call()).statusCode).toBe(200);
    expect(app.queries.length).toBeLessThanOrEqual(2);
  }
});

describe('wearing a title', () => {
  beforeEach(async () => {
    await app.seat(learner);
    app.clock.advance(HOUR_MS);
    await app.recordSeen(learner);
    await app.leave(learner);
    await listOf(learner);
  });

  it('shows it in the list, on the profile and to everybody in the room', async () => {
    const host = await withLastingLogIn(await app.newLearner());
    await app.seat(host);
    await app.seat(learner);
    const received = await (await clients.connectAs(app, host)).subscribe(destinations.presence);
    const answer = await equip(2);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        titleId: 2,
        key: 'hours-1',
        name: 'The First Hour',
        description: '1 hour of total focus',
        icon: 'hourglass',
        type: 'hours',
        acquiredAt: expect.stringMatching(/^\d{4}-.*Z$/u),
      },
    ]);
    const worn = { key: 'hours-1', name: '첫 한 시간', icon: 'hourglass' };
    await vi.waitFor(() =>
      expect((received.at(-1)?.body as PresenceMessage | undefined) ?? {}).toMatchObject({
        change: { type: 'updated', member: { userId: learner.userId, title: worn } },
      }),
    );
    expect(
      (await listOf(learner))
        .json<OwnTitle[]>()
        .filter((title) => title.isRepresent)
        .map(({ key }) => key),
    ).toEqual(['hours-1']);
    const profile = await app.inject({ url: getProfile.path, headers: learner.headers });
    expect(profile.json()).toMatchObject({ selectedTitle: worn });
  });

  it('is published to the room when a repeat succeeds after a failure', async () => {
    const host = await withLastingLogIn(await app.newLearner());
    await app.seat(host);
    await app.seat(learner);
    const received = await (await clients.connectAs(app, host)).subscribe(destinations.presence);
    await app.database.transaction().execute(async (other) => {
      await sql`select from study_room for update`.execute(other);
      const answer = equip(2);
      await vi.waitFor(async () => {
        // On another connection: a transaction keeps the pg_stat_activity that it saw first.
        const { rows } = await sql`
          select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
            and query like '%counted_update%'`.execute(app.database);
        expect(rows).toHaveLength(1);
      });
      expect((await answer).statusCode).toBe(503);
    });
    expect((await equip(2)).statusCode).toBe(200);
    await vi.waitFor(() =>
      expect(received.at(-1)?.body).toMatchObject({
        change: { type: 'updated', member: { userId: learner.userId, title: { key: 'hours-1' } } },
      }),
    );
  });

  it('ends with "no-title", by its key or 0', async () => {
    for (const none of ['no-title', 0]) {
      await equip(1);
      const answer = await equip(none);
      expect([answer.statusCode, answer.json()]).toMatchObject([
        200,
        { titleId: 0, key: 'no-title', acquiredAt: null },
      ]);
      const profile = await app.inject({ url: getProfile.path, headers: learner.headers });
      expect(profile.json()).toMatchObject({
        selectedTitle: { key: 'no-title', name: '대표 칭호를 설정해주세요!', icon: '' },
      });
    }
  });

  it.each([
    ['one that was not won', 7, 'titleNotWon', 403],
    ['one that there is not', 4_711, 'titleNotFound', 404],
    ['what is no title', 'hours-1', 'invalidRequest', 400],
    ['nothing', '', 'invalidRequest', 400],
  ] as const)('refuses %s', async (_what, titleId, error, status) => {
    const answer = await equip(titleId);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      status,
      { error, errorCode: errors[error].code },
    ]);
  });

  it('is for oneself only, and so is the list', async () => {
    const other = await app.newLearner();
    for (const answer of [await equip(1, learner, other), await listOf(learner, other)]) {
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { errorCode: 'A403' }]);
    }
  });

  it('is deleted with the account', async () => {
    await equip(1);
    await sql`delete from users where id = ${learner.userId}`.execute(app.database);
    const { rows } = await sql`
      select from user_title where user_id = ${learner.userId}`.execute(app.database);
    expect(rows).toEqual([]);
  });
});
