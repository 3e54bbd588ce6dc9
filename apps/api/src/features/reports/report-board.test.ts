import {
  BOARD_ELEMENTS_MAX,
  type BoardElement,
  type CaseDetail,
  createReport,
  DAY_MS,
  getReportBoard,
  MINUTE_MS,
  type RoomId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  changed,
  type Drawer,
  newDrawer,
  newRectangle,
  newText,
  readBoard,
} from '../../../test/drawings.ts';
import { plain } from '../../../test/pictures.ts';
import { newModerator } from '../../../test/reported-cases.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({
  emptied: ['report_case', 'board', 'seat', 'study_room'],
});

let roomId: RoomId;
let reporter: Drawer;
let reported: Drawer;
beforeEach(async () => {
  roomId = await app.openRoom();
  reporter = await newDrawer(clients, app, roomId);
  reported = await newDrawer(clients, app, roomId);
});

async function report(change: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const answer = await app.inject({
    method: createReport.method,
    url: createReport.path,
    headers: reporter.learner.headers,
    payload: {
      ...{ roomId, reportedId: reported.learner.userId, reason: 'ABUSE', withBoard: true },
      ...change,
    },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ reportId: number }>().reportId;
}

const read = (reportId: number, { headers }: Learner) =>
  app.inject({ url: getReportBoard.path.replace(':reportId', String(reportId)), headers });

const textsOf = (elements: readonly BoardElement[]) => elements.map(({ text }) => text);
async function keptTexts(): Promise<unknown[]> {
  const { rows } = await sql<{
    elements: BoardElement[];
  }>`select elements from report_board`.execute(app.database);
  return rows.flatMap(({ elements }) => textsOf(elements));
}

async function deleteAccount({ userId }: Learner): Promise<void> {
  await sql`update users set deletes_at = ${app.clock.now()}::timestamptz - interval '1 minute'
            where id = ${userId}`.execute(app.database);
  await app.runJob('account deletions');
}

describe('the whiteboard in a report', () => {
  it('is the board of that moment, with its authors, whatever happens to both later', async () => {
    const insult = newText('an insult');
    await reported.draw(insult, newText('rubbed out', { id: 'gone' }));
    await reported.draw(changed(newText('', { id: 'gone' }), { isDeleted: true }));
    await reporter.draw(newText('a formula'));
    const reportId = await report();
    await reported.draw(changed(insult, { isDeleted: true }));
    await sql`update users set nickname = 'renamed' where id = ${reported.learner.userId}`.execute(
      app.database,
    );
    const moderator = await newModerator(app);
    const { userId, nickname } = reported.learner;
    const board = (await read(reportId, moderator)).json();
    expect(board).toEqual({
      reportedId: userId,
      authors: [
        { userId: reporter.learner.userId, nickname: reporter.learner.nickname },
        { userId, nickname },
      ].toSorted((a, b) => a.userId - b.userId),
      elements: [
        expect.objectContaining({ text: 'an insult', customData: { authorId: userId } }),
        expect.objectContaining({ text: 'a formula' }),
      ],
    });
    const { rows } = await sql<{ caseId: number }>`
      select case_id as "caseId" from report`.execute(app.database);
    const shown = await app.inject({
      url: `/api/moderation/cases/${rows[0]?.caseId}`,
      headers: moderator.headers,
    });
    expect(shown.json<CaseDetail>().reports).toMatchObject([{ hasBoard: true }]);
  });

  it('names the last editor of another learner’s element', async () => {
    const formula = newText('a formula');
    await reported.draw(formula);
    await reporter.draw(changed(formula, { text: 'an insult' }));
    const reportId = await report();
    const customData = {
      authorId: reported.learner.userId,
      changedById: reporter.learner.userId,
    };
    const board = (await read(reportId, await newModerator(app))).json();
    expect(board.elements).toMatchObject([{ text: 'an insult', customData }]);
    expect(board.authors).toHaveLength(2);
    await reported.draw(changed(changed(formula, {}), {}));
    const { elements } = await readBoard(app, reporter.learner, roomId);
    expect(elements[0].customData).toEqual({ authorId: customData.authorId });
  });

  it('is not kept unless it is asked for, and not of an empty board', async () => {
    const empty = await report();
    expect((await read(empty, await newModerator(app))).json()).toMatchObject({
      error: 'notFound',
    });
    await app.empty('report_case');
    await reported.draw(newText('an insult'));
    await report({ withBoard: false });
    expect(await keptTexts()).toEqual([]);
  });

  it('is nothing that was drawn when the reporter had left', async () => {
    await reported.draw(newText('an insult'));
    app.clock.advance(1_000);
    await app.leave(reporter.learner);
    app.clock.advance(1_000);
    await reported.draw(newText('among others'));
    await sql`insert into chat_message
      select ${roomId}, epoch, 1, ${reported.learner.userId}, 'c', 'x', 'name', '',
             ${app.clock.now()}::timestamptz - interval '1.5 seconds'
      from study_room where id = ${roomId}`.execute(app.database);
    await report();
    expect(await keptTexts()).toEqual(['an insult']);
  });

  it('has its pictures, as long as the report has the board', async () => {
    const imageId = 'ab'.repeat(32);
    const image = await plain(64, 36).webp().toBuffer();
    await sql`insert into board_picture values (${imageId}, ${image}, ${app.clock.now()})`.execute(
      app.database,
    );
    await sql`
      insert into board_image select room_id, epoch, ${imageId}, ${app.clock.now()} from board
      where room_id = ${roomId}`.execute(app.database);
    const shown = { type: 'image', fileId: imageId, status: 'saved', scale: [1, 1], crop: null };
    await reported.draw(newRectangle(shown));
    const reportId = await report();
    await sql`delete from board`.execute(app.database);
    const useless = async () => {
      app.clock.advance(2 * 60 * MINUTE_MS);
      await app.runJob('unused board pictures');
      return (await sql`select from board_picture`.execute(app.database)).rows.length === 0;
    };
    expect(await useless()).toBe(false);
    const moderator = await newModerator(app);
    const url = `${getReportBoard.path.replace(':reportId', String(reportId))}/images/${imageId}`;
    const picture = await app.inject({ url, headers: moderator.headers });
    expect([picture.headers['content-type'], picture.rawPayload]).toEqual(['image/webp', image]);
    const others = await app.inject({
      url: url.replace(imageId, 'cd'.repeat(32)),
      headers: moderator.headers,
    });
    expect(others.json()).toMatchObject({ error: 'notFound' });
    await sql`delete from report_board`.execute(app.database);
    expect(await useless()).toBe(true);
    app.clock.advance(-4 * 60 * MINUTE_MS);
  });

  it('is shown to moderators alone, and never to the reported person', async () => {
    await reported.draw(newText('an insult'));
    const reportId = await report();
    for (const learner of [reporter.learner, reported.learner, await app.newLearner()]) {
      expect((await read(reportId, learner)).json()).toMatchObject({ error: 'moderatorsOnly' });
    }
    await app.grant(reported.learner, 'moderator');
    expect((await read(reportId, reported.learner)).json()).toMatchObject({
      error: 'caseNotFound',
    });
  });

  it('holds a full board', async () => {
    const element = JSON.stringify(newText('x'.repeat(400)));
    await sql`
      insert into board_element
      select room_id, epoch, 'e' || n, 1, 1, 1, false, ${reported.learner.userId}, ${element},
             ${element.length}, ${app.clock.now()}
      from board, generate_series(1, ${BOARD_ELEMENTS_MAX}::integer) as n
      where room_id = ${roomId}`.execute(app.database);
    const board = await read(await report(), await newModerator(app));
    expect(board.json<{ elements: unknown[] }>().elements).toHaveLength(BOARD_ELEMENTS_MAX);
  });

  it('loses the drawings of a deleted account, and is deleted with the reported one', async () => {
    await reported.draw(newText('an insult'));
    await reporter.draw(newText('a formula'));
    await report();
    await deleteAccount(reporter.learner);
    expect(await keptTexts()).toEqual(['an insult']);
    const { rows } = await sql`select authors from report_board`.execute(app.database);
    expect(rows).toEqual([
      { authors: [expect.objectContaining({ userId: reported.learner.userId })] },
    ]);
    await deleteAccount(reported.learner);
    expect(await keptTexts()).toEqual([]);
  });

  it('is deleted 30 days after the decision, and not before one', async () => {
    await reported.draw(newText('an insult'));
    await report();
    app.clock.advance(60 * DAY_MS);
    await app.runJob('old reports');
    expect(await keptTexts()).toHaveLength(1);
    await sql`update report_case set status = 'decided', decided_at = ${app.clock.now()},
              decision = 'warn'`.execute(app.database);
    app.clock.advance(30 * DAY_MS - MINUTE_MS);
    await app.runJob('old reports');
    expect(await keptTexts()).toHaveLength(1);
    app.clock.advance(2 * MINUTE_MS);
    await app.runJob('old reports');
    expect(await keptTexts()).toEqual([]);
    app.clock.advance(-(90 * DAY_MS + MINUTE_MS));
  });
});
