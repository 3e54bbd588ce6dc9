import {
  BOARD_ELEMENTS_MAX,
  type BoardElement,
  type BoardMessage,
  blockUser,
  CLEARED_BOARD_KEPT_MS,
  destinations,
  type Notice,
  type RoomId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { routes } from '../../../test/contract-routes.ts';
import {
  changed,
  type Drawer,
  newDrawer,
  newRectangle,
  openBoard,
  readBoard,
} from '../../../test/drawings.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createInProcessBackplane } from '../../platform/backplane/index.ts';

/** Two processes of one site. */
const backplane = createInProcessBackplane();
const { app, clients } = await openTestSite({
  backplane,
  emptied: ['seat', 'study_room', 'board', 'block'],
});
const { app: second } = await openTestSite({ backplane, besides: app });

const drawer = (roomId?: RoomId, site = app) => newDrawer(clients, site, roomId);

/** Two learners in one room, at two processes. */
async function pair(): Promise<[Drawer, Drawer]> {
  const one = await drawer();
  return [one, await drawer(one.roomId, second)];
}

/** A hosted room: its host and a guest. */
async function hosted(): Promise<{ host: Drawer; guest: Drawer; roomId: RoomId }> {
  const host = await app.newLearner();
  const roomId = await app.openHostedRoom(host);
  await app.seat(host, roomId);
  const opening = await openBoard(host, await clients.connectAs(app, host), roomId);
  return { host: opening, guest: await drawer(roomId, second), roomId };
}

/** A call of a learner in their room, or in one that they name. */
async function call(
  name: 'clearBoard' | 'bringBackBoard',
  { learner, roomId }: { learner: Pick<Learner, 'headers'>; roomId: RoomId },
  site = app,
) {
  const { method, path } = routes[name];
  const url = path.replace(':roomId', String(roomId));
  const answer = await site.inject({ method, url, headers: learner.headers });
  return answer.statusCode === 200 ? answer.json() : answer.json().error;
}
const clear = (one: Parameters<typeof call>[1], site = app) => call('clearBoard', one, site);
const bringBack = (one: Parameters<typeof call>[1], site = app) =>
  call('bringBackBoard', one, site);

const elementsOf = async ({ learner, roomId }: Drawer): Promise<BoardElement[]> =>
  (await readBoard(app, learner, roomId)).elements;
const idsOf = async (one: Drawer) => (await elementsOf(one)).map(({ id }) => id).toSorted();
const idsIn = (elements: readonly BoardElement[]) => elements.map(({ id }) => id).toSorted();
const replacements = ({ received }: Drawer) =>
  received.map(({ body }) => body as BoardMessage).filter(({ kind }) => kind === 'replaced');
const advance = (ms: number) => {
  for (const site of [app, second]) site.clock.advance(ms);
};

/** The notices about the board that a learner gets from now on. */
async function boardNotices({ client }: Drawer): Promise<() => Notice[]> {
  const notices = await client.subscribe(destinations.notices);
  return () => notices.map(({ body }) => body as Notice).filter(({ kind }) => kind === 'board');
}

/** Opens the board of a learner again, after it was replaced. */
const reopened = async ({ learner, roomId }: Drawer) =>
  openBoard(learner, await clients.connectAs(app, learner), roomId);

describe('in a room without a host', () => {
  it('anybody clears the board and anybody brings it back, as it was, and the others learn who did', async () => {
    const [one, other] = await pair();
    const [mine, theirs] = [newRectangle({ x: 7 }), newRectangle()];
    await one.draw(mine);
    await other.draw(theirs);
    const before = await elementsOf(one);
    const [toldOne, toldOther] = [await boardNotices(one), await boardNotices(other)];

    expect(await clear(one)).toEqual({});
    expect(await elementsOf(other)).toEqual([]);
    const { generation, number } = await readBoard(app, one.learner, one.roomId);
    for (const each of [one, other]) {
      await vi.waitFor(() =>
        expect(replacements(each)).toEqual([
          { kind: 'replaced', roomId: one.roomId, generation, number },
        ]),
      );
    }
    expect(await bringBack(other, second)).toEqual({});
    expect(new Set(await elementsOf(one))).toEqual(new Set(before));
    const { roomId } = one;
    await vi.waitFor(() => {
      expect(toldOther()).toEqual([
        { kind: 'board', roomId, what: 'cleared', by: one.learner.userId },
      ]);
      expect(toldOne()).toEqual([
        { kind: 'board', roomId, what: 'broughtBack', by: other.learner.userId },
      ]);
    });
    // Elements drawn on a previous generation are refused; the next change is not.
    await one.draw(newRectangle());
    expect(one.client.lastError).toBe('boardReplaced');
    await (await reopened(one)).draw(changed(mine, { x: 9 }));
    expect((await elementsOf(other)).find(({ id }) => id === mine.id)).toMatchObject({ x: 9 });
  });

  it('what was drawn since stays when the board is brought back', async () => {
    const [one, other] = await pair();
    const [old, again] = [newRectangle(), newRectangle({ x: 1 })];
    await one.draw(old, again);
    await clear(one);
    const [drawn, deleted] = [newRectangle(), newRectangle()];
    const since = await reopened(other);
    const redrawn = changed(again, { x: 2 });
    await since.draw(drawn, redrawn, deleted);
    await since.draw(changed(deleted, { isDeleted: true }));
    await bringBack(one);
    expect(await idsOf(one)).toEqual(idsIn([old, again, drawn]));
    expect((await elementsOf(one)).find(({ id }) => id === again.id)).toMatchObject({ x: 2 });
    const { rows } = await sql`select elements from board`.execute(app.database);
    expect(rows).toEqual([{ elements: 3 }]);
  });

  it('an element that was deleted again since comes back too', async () => {
    const one = await drawer();
    const old = newRectangle();
    await one.draw(old);
    await clear(one);
    const again = await reopened(one);
    await again.draw(changed(old, { x: 2 }));
    await again.draw(changed(old, { version: 9, isDeleted: true }));
    await bringBack(one);
    expect(await elementsOf(one)).toMatchObject([{ id: old.id, x: old.x }]);
  });

  it('a double click and a second tab count once', async () => {
    const [one, other] = await pair();
    await one.draw(newRectangle());
    const told = await boardNotices(other);
    expect(await Promise.all([clear(one), clear(one, second), clear(other)])).toEqual([{}, {}, {}]);
    const answers = await Promise.all([bringBack(one), bringBack(one, second), bringBack(one)]);
    expect(answers.filter((answer) => answer !== 'nothingToBringBack')).toEqual([{}]);
    expect(await elementsOf(other)).toHaveLength(1);
    await vi.waitFor(() => expect(told().at(-1)).toMatchObject({ what: 'broughtBack' }));
    expect(replacements(other)).toHaveLength(2);
  });

  it('an empty board is not cleared: what can be brought back stays', async () => {
    const one = await drawer();
    const kept = newRectangle();
    await one.draw(kept);
    await clear(one);
    await clear(one);
    await bringBack(one);
    expect(await idsOf(one)).toEqual([kept.id]);
  });

  it('the board of the last clearing can be brought back, for a day', async () => {
    const one = await drawer();
    await one.draw(newRectangle());
    await clear(one);
    const last = newRectangle();
    await (await reopened(one)).draw(last);
    await clear(one);
    advance(CLEARED_BOARD_KEPT_MS - 1_000);
    await app.runJob('cleared boards');
    const later = { ...one, learner: await app.renew(one.learner) };
    await app.seat(later.learner, one.roomId);
    expect(await bringBack(later)).toEqual({});
    expect(await idsOf(later)).toEqual([last.id]);

    await clear(later);
    advance(CLEARED_BOARD_KEPT_MS);
    const tooLate = { ...one, learner: await app.renew(one.learner) };
    await app.seat(tooLate.learner, one.roomId);
    expect(await bringBack(tooLate)).toBe('nothingToBringBack');
    await app.runJob('cleared boards');
    expect((await sql`select from cleared_board`.execute(app.database)).rows).toEqual([]);
  });

  it('a board that would become too full is not brought back, and can be later', async () => {
    const one = await drawer();
    const kept = newRectangle();
    await one.draw(kept);
    await clear(one);
    await sql`
      insert into board_element
      select room_id, epoch, 'e' || n, 1, 1, number, false, ${one.learner.userId}, '{}', 2, now()
      from board, generate_series(1, ${BOARD_ELEMENTS_MAX}::integer) as n`.execute(app.database);
    expect(await bringBack(one)).toBe('boardFull');
    await sql`delete from board_element where id = 'e1'`.execute(app.database);
    expect(await bringBack(one)).toEqual({});
    expect(await idsOf(one)).toContain(kept.id);
  });

  it('goes with its gathering: learners who come next bring nothing back', async () => {
    const [one, other] = await pair();
    await one.draw(newRectangle());
    await clear(one);
    await Promise.all([app.leave(one.learner), app.leave(other.learner)]);
    expect(await bringBack(await drawer(one.roomId))).toBe('nothingToBringBack');
  });

  it('a block hides who did it from the other', async () => {
    const [one, other] = await pair();
    await app.inject({
      method: blockUser.method,
      url: blockUser.path.replace(':blockedId', String(other.learner.userId)),
      headers: one.learner.headers,
    });
    await one.draw(newRectangle());
    const told = await boardNotices(other);
    await clear(one);
    await vi.waitFor(() => expect(told()).toMatchObject([{ what: 'cleared', by: null }]));
  });

  it('nobody from elsewhere may, nor a learner who is muted', async () => {
    const [one, other] = await pair();
    await one.draw(newRectangle());
    const stranger = { ...(await drawer(await app.openRoom())), roomId: one.roomId };
    expect(await clear(stranger)).toBe('notInThisRoom');
    expect(await bringBack(stranger)).toBe('notInThisRoom');
    await sql`
      insert into sanction (user_id, kind, reason, imposed_at, ends_at, changed_at)
      values (${other.learner.userId}, 'muteChat', 'rudeness', now(), now() + interval '10 days', now())`.execute(
      app.database,
    );
    await app.runJob('sanctions');
    expect(await clear(other)).toBe('chatMuted');
    expect(await elementsOf(one)).toHaveLength(1);
    await clear(one);
    expect(await bringBack(other)).toBe('chatMuted');
  });
});

describe('in the room of a host', () => {
  it('the host clears the board and brings it back; nobody else may', async () => {
    const { host, guest, roomId } = await hosted();
    await guest.draw(newRectangle(), newRectangle());
    const told = await boardNotices(guest);
    expect(await clear(guest)).toBe('notHost');
    expect(await elementsOf(host)).toHaveLength(2);
    expect(await clear(host)).toEqual({});
    expect(await elementsOf(guest)).toEqual([]);
    await vi.waitFor(() => expect(replacements(guest)).toHaveLength(1));
    expect(await bringBack(guest)).toBe('notHost');
    expect(await bringBack(host)).toEqual({});
    expect(await elementsOf(guest)).toHaveLength(2);
    const by = host.learner.userId;
    await vi.waitFor(() =>
      expect(told()).toEqual([
        { kind: 'board', roomId, what: 'cleared', by },
        { kind: 'board', roomId, what: 'broughtBack', by },
      ]),
    );
  });
});

it('a cleared board loses the elements of a deleted account', async () => {
  const [one, other] = await pair();
  const mine = newRectangle();
  await one.draw(mine);
  await other.draw(newRectangle());
  await clear(one);
  const { method, path: url } = routes.requestDeletion;
  const { headers } = other.learner;
  await app.inject({ method, url, headers, payload: { delayDays: 0 } });
  advance(60_000);
  await app.runJob('account deletions');
  await bringBack(one);
  expect(await idsOf(one)).toEqual([mine.id]);
});

it('changes and replacements at the same moment leave every process and the database with the same board', async () => {
  const { host, guest } = await hosted();
  await host.draw(newRectangle());
  await Promise.all([
    ...Array.from({ length: 10 }, () => guest.draw(newRectangle())),
    clear(host),
    ...Array.from({ length: 10 }, () => host.draw(newRectangle())),
    bringBack(host),
  ]);
  const board = await readBoard(app, host.learner, host.roomId);
  expect(board.number).toBeGreaterThan(1);
  await vi.waitFor(() => {
    for (const each of [host, guest]) {
      const numbers = each.received.flatMap(({ body }) => body.number ?? []);
      expect(Math.max(...numbers)).toBe(board.number);
    }
  });
  const [totals] = (
    await sql<{ elements: number }>`select elements from board`.execute(app.database)
  ).rows;
  expect(totals?.elements).toBe(board.elements.length);
});
