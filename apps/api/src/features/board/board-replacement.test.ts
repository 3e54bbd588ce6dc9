import {
  BOARD_VERSION_EVERY_MS,
  BOARD_VERSIONS_KEPT_MS,
  BOARD_VOTE_MS,
  type BoardElement,
  type BoardMessage,
  type BoardVersion,
  type BoardVote,
  destinations,
  type RoomId,
  type RouteDefinition,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { routes } from '../../../test/contract-routes.ts';
import {
  changed,
  type Drawer,
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

async function drawer(roomId?: RoomId, site = app): Promise<Drawer> {
  const learner = await site.newLearner();
  const room = await site.seat(learner, roomId);
  return openBoard(learner, await clients.connectAs(site, learner), room);
}

/** Several learners in one room, alternately at the two processes. */
async function drawers(count: number): Promise<Drawer[]> {
  const roomId = await app.openRoom();
  const all: Drawer[] = [];
  for (let index = 0; index < count; index += 1) {
    all.push(await drawer(roomId, index % 2 === 0 ? app : second));
  }
  return all;
}

/** A hosted room: its host and a guest. */
async function hosted(): Promise<{ host: Drawer; guest: Drawer; roomId: RoomId }> {
  const host = await app.newLearner();
  const roomId = await app.openHostedRoom(host);
  await app.seat(host, roomId);
  const opening = await openBoard(host, await clients.connectAs(app, host), roomId);
  return { host: opening, guest: await drawer(roomId, second), roomId };
}

function call(
  route: RouteDefinition,
  { learner, roomId }: { learner: Pick<Learner, 'headers'>; roomId: RoomId },
  payload?: object,
  site = app,
) {
  const { method, path } = route;
  const url = path.replace(':roomId', String(roomId));
  return site.inject({ method, url, headers: learner.headers, ...(payload && { payload }) });
}
const replace = (one: Drawer, versionId: number | null = null, site = app) =>
  call(routes.replaceBoard, one, { versionId }, site);
const answer = (one: Drawer, voteId: string, agrees: boolean, site = app) =>
  call(routes.voteOnBoard, one, { voteId, agrees }, site);
const versionsOf = async (one: Drawer) =>
  (await call(routes.getBoardVersions, one)).json<{ versions: BoardVersion[] }>().versions;
const elementsOf = async ({ learner, roomId }: Drawer): Promise<BoardElement[]> =>
  (await readBoard(app, learner, roomId)).elements;
const idsOf = async (one: Drawer) => (await elementsOf(one)).map(({ id }) => id).toSorted();
const advance = (ms: number) => {
  for (const site of [app, second]) site.clock.advance(ms);
};

async function openVote(one: Drawer, versionId: number | null = null): Promise<BoardVote> {
  const { vote } = (await replace(one, versionId)).json<{ vote: BoardVote }>();
  return vote;
}

type Delivered<Kind> = Extract<BoardMessage, { kind: Kind }>;
const delivered = <Kind extends BoardMessage['kind']>({ received }: Drawer, kind: Kind) =>
  received
    .map(({ body }) => body as BoardMessage)
    .filter((message): message is Delivered<Kind> => message.kind === kind);
const lastVote = (one: Drawer) => delivered(one, 'vote').at(-1)?.vote;

describe('a version', () => {
  it('is kept of a board that has changed, every five minutes, for a day', async () => {
    const one = await drawer();
    const [first, other] = [newRectangle(), newRectangle()];
    await one.draw(first);
    await app.runJob('board versions');
    await one.draw(other);
    // Not yet, and later not twice.
    await app.runJob('board versions');
    advance(BOARD_VERSION_EVERY_MS);
    await Promise.all([app.runJob('board versions'), second.runJob('board versions')]);
    advance(BOARD_VERSION_EVERY_MS);
    await app.runJob('board versions');
    expect((await versionsOf(one)).map(({ elements }) => elements)).toEqual([2, 1]);

    await one.draw(changed(first, { isDeleted: true }));
    advance(BOARD_VERSIONS_KEPT_MS - 2 * BOARD_VERSION_EVERY_MS);
    await app.runJob('board versions');
    const renewed = { ...one, learner: await app.renew(one.learner) };
    await app.seat(renewed.learner, one.roomId);
    expect((await versionsOf(renewed)).map(({ elements }) => elements)).toEqual([1, 2]);
  });

  it('is restored at once by a learner alone, as it was, and the previous board becomes a version', async () => {
    const one = await drawer();
    const kept = newRectangle({ x: 7 });
    await one.draw(kept);
    await app.runJob('board versions');
    const [version] = await versionsOf(one);
    await one.draw(changed(kept, { x: 8 }), newRectangle());
    const answered = await replace(one, version?.id ?? 0);
    expect([answered.statusCode, answered.json()]).toEqual([200, { vote: null }]);
    const customData = { authorId: one.learner.userId };
    expect(await elementsOf(one)).toEqual([{ ...kept, customData }]);
    const { generation, number } = await readBoard(app, one.learner, one.roomId);
    await vi.waitFor(() =>
      expect(delivered(one, 'replaced')).toEqual([
        { kind: 'replaced', roomId: one.roomId, generation, number, by: one.learner.userId },
      ]),
    );
    expect((await versionsOf(one)).map(({ elements }) => elements)).toEqual([2, 1]);
    // Elements drawn on the previous generation are refused; the next change is not.
    await one.draw(newRectangle());
    expect(one.client.lastError).toBe('boardReplaced');
    const again = await openBoard(
      one.learner,
      await clients.connectAs(app, one.learner),
      one.roomId,
    );
    await again.draw(changed(kept, { x: 9 }));
    expect((await elementsOf(one)).map(({ x }) => x)).toEqual([9]);
  });

  it('is only of the own board', async () => {
    const one = await drawer();
    await one.draw(newRectangle());
    await app.runJob('board versions');
    const [version] = await versionsOf(one);
    const elsewhere = await drawer(await app.openRoom());
    expect(await versionsOf(elsewhere)).toEqual([]);
    const refused = await replace(elsewhere, version?.id ?? 0);
    expect([refused.statusCode, refused.json().error]).toEqual([404, 'boardVersionNotFound']);
  });

  it('loses the elements of a deleted account', async () => {
    const [one, other] = (await drawers(2)) as [Drawer, Drawer];
    const [mine, theirs] = [newRectangle(), newRectangle()];
    await one.draw(mine);
    await other.draw(theirs);
    await app.runJob('board versions');
    const { method, path: url } = routes.requestDeletion;
    const { headers } = other.learner;
    await app.inject({ method, url, headers, payload: { delayDays: 0 } });
    advance(60_000);
    await app.runJob('account deletions');
    const [version] = await versionsOf(one);
    expect(version?.elements).toBe(1);
    await one.draw(newRectangle());
    await replace(one, version?.id ?? 0);
    expect(await idsOf(one)).toEqual([mine.id]);
  });

  it('is not kept without end: of a board that is large the oldest go early', async () => {
    const one = await drawer();
    await one.draw(newRectangle());
    await app.runJob('board versions');
    await sql`update board_version set bytes = ${40 * 1024 * 1024}`.execute(app.database);
    const [large] = await versionsOf(one);
    await one.draw(newRectangle());
    advance(BOARD_VERSION_EVERY_MS);
    await sql`update board_element set bytes = ${5 * 1024 * 1024}`.execute(app.database);
    await app.runJob('board versions');
    const left = await versionsOf(one);
    expect(left).toHaveLength(1);
    expect(left[0]?.id).not.toBe(large?.id);
  });
});

describe('a host', () => {
  it('empties the board at once, and takes it back', async () => {
    const { host, guest } = await hosted();
    await guest.draw(newRectangle(), newRectangle());
    expect((await replace(host)).json()).toEqual({ vote: null });
    expect(await elementsOf(guest)).toEqual([]);
    await vi.waitFor(() => expect(delivered(guest, 'replaced')).toHaveLength(1));
    const [version] = await versionsOf(host);
    await replace(host, version?.id ?? 0);
    expect(await elementsOf(guest)).toHaveLength(2);
    expect(delivered(guest, 'vote')).toEqual([]);
  });

  it('alone may: nobody else in their room can, nor somebody in another', async () => {
    const { host, guest, roomId } = await hosted();
    await host.draw(newRectangle());
    const refused = await replace(guest);
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'notHost']);
    const stranger = { ...(await drawer(await app.openRoom())), roomId };
    expect((await replace(stranger)).json().error).toBe('notInThisRoom');
    expect(await elementsOf(host)).toHaveLength(1);
  });
});

describe('in a room without a host', () => {
  it('a vote empties the board with more than half, and everybody is told of each answer', async () => {
    const [one, two, three, four] = (await drawers(4)) as [Drawer, Drawer, Drawer, Drawer];
    await one.draw(newRectangle());
    const vote = await openVote(one);
    expect(vote).toEqual({
      id: expect.any(String),
      versionId: null,
      openedBy: one.learner.userId,
      endsAtMs: app.clock.now().getTime() + BOARD_VOTE_MS,
      agreed: [one.learner.userId],
      refused: [],
      needed: 3,
    });
    for (const each of [one, two, three, four]) {
      await vi.waitFor(() => expect(lastVote(each)).toEqual(vote));
    }
    expect((await answer(two, vote.id, true, second)).json().vote.agreed).toHaveLength(2);
    expect((await answer(four, vote.id, false)).json().vote.refused).toEqual([four.learner.userId]);
    expect(await elementsOf(one)).toHaveLength(1);
    expect((await answer(three, vote.id, true)).json()).toEqual({ vote: null });
    expect(await elementsOf(one)).toEqual([]);
    for (const each of [one, two, three, four]) {
      await vi.waitFor(() => expect(lastVote(each)).toBeNull());
      expect(delivered(each, 'replaced')).toMatchObject([{ by: null }]);
    }
    expect((await answer(four, vote.id, true)).json().error).toBe('boardVoteEnded');
    expect(await versionsOf(four)).toHaveLength(1);
  });

  it('a learner without an open board gets a notice of a vote', async () => {
    const [one] = (await drawers(1)) as [Drawer];
    const other = await second.newLearner();
    await second.seat(other, one.roomId);
    const client = await clients.connectAs(second, other);
    const notices = await client.subscribe(destinations.notices);
    await openVote(one);
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toContainEqual({
        ...{ kind: 'boardVote', roomId: one.roomId },
      }),
    );
    await replace(one);
    expect(notices.filter(({ body }) => body.kind === 'boardVote')).toHaveLength(1);
  });

  it('a learner who arrives during a vote gets it, at any process', async () => {
    const [one] = (await drawers(2)) as [Drawer];
    const vote = await openVote(one);
    const late = await drawer(one.roomId, second);
    expect(delivered(late, 'start')).toMatchObject([{ vote: { id: vote.id } }]);
    await second.runJob('board votes');
    await vi.waitFor(() => expect(lastVote(one)).toMatchObject({ id: vote.id, needed: 2 }));
  });

  it('a vote ends as soon as it cannot pass any more', async () => {
    const [one, two] = (await drawers(2)) as [Drawer, Drawer];
    await one.draw(newRectangle());
    const { id } = await openVote(one);
    expect((await answer(two, id, false)).json()).toEqual({ vote: null });
    await vi.waitFor(() => expect(lastVote(one)).toBeNull());
    expect(await elementsOf(one)).toHaveLength(1);
  });

  it('a vote that a killed process left ends by the job of any other', async () => {
    const [one, two] = (await drawers(2)) as [Drawer, Drawer];
    await one.draw(newRectangle());
    const { id } = await openVote(one);
    advance(BOARD_VOTE_MS);
    expect((await answer(two, id, true)).json().error).toBe('boardVoteEnded');
    await second.runJob('board votes');
    await vi.waitFor(() => expect(lastVote(one)).toBeNull());
    expect(await elementsOf(one)).toHaveLength(1);
    expect((await sql`select from board_vote`.execute(app.database)).rows).toEqual([]);
  });

  it('a vote that is over does not stand in the way of the next', async () => {
    const [one, two] = (await drawers(2)) as [Drawer, Drawer];
    const before = await openVote(one);
    advance(BOARD_VOTE_MS);
    const next = await openVote(two);
    expect(next).toMatchObject({ openedBy: two.learner.userId, agreed: [two.learner.userId] });
    expect(next.id).not.toBe(before.id);
  });

  it('a learner who has left no longer counts: neither their answer nor their seat', async () => {
    const [one, two, three, four] = (await drawers(4)) as [Drawer, Drawer, Drawer, Drawer];
    await one.draw(newRectangle());
    const { id } = await openVote(one);
    await answer(two, id, true);
    await app.leave(two.learner);
    await second.runJob('board votes');
    await vi.waitFor(() =>
      expect(lastVote(three)).toMatchObject({ agreed: [one.learner.userId], needed: 2 }),
    );
    expect(await elementsOf(one)).toHaveLength(1);
    await answer(three, id, false);
    await app.leave(three.learner);
    await app.leave(four.learner);
    await second.runJob('board votes');
    expect(await elementsOf(one)).toEqual([]);
    await vi.waitFor(() => expect(lastVote(one)).toBeNull());
  });

  it('two tabs and a double click count once, and asking for the same is agreeing', async () => {
    const [one, two, three] = (await drawers(3)) as [Drawer, Drawer, Drawer];
    await one.draw(newRectangle());
    const opened = await Promise.all([replace(one), replace(one, null, second), replace(one)]);
    const votes = opened.map((each) => each.json<{ vote: BoardVote }>().vote);
    expect(new Set(votes.map(({ id }) => id)).size).toBe(1);
    expect(votes.map(({ agreed }) => agreed)).toEqual(votes.map(() => [one.learner.userId]));
    const id = votes[0]?.id ?? '';
    await Promise.all([answer(one, id, true), answer(one, id, true, second)]);
    expect(await elementsOf(three)).toHaveLength(1);
    expect((await replace(two)).json()).toEqual({ vote: null });
    expect(await elementsOf(three)).toEqual([]);
  });

  it('there is one vote a board', async () => {
    const [one, two] = (await drawers(2)) as [Drawer, Drawer];
    await one.draw(newRectangle());
    await app.runJob('board versions');
    const [version] = await versionsOf(one);
    await openVote(one);
    const refused = await replace(two, version?.id ?? 0);
    expect([refused.statusCode, refused.json().error]).toEqual([409, 'boardVoteOpen']);
  });

  it('a vote takes a version back, though it grows too old meanwhile', async () => {
    const [one, two] = (await drawers(2)) as [Drawer, Drawer];
    const kept = newRectangle();
    await one.draw(kept);
    await app.runJob('board versions');
    await one.draw(newRectangle());
    const [version] = await versionsOf(two);
    const { id, versionId } = await openVote(two, version?.id);
    expect(versionId).toBe(version?.id);
    await sql`update board_version set taken_at = taken_at - interval '24 hours'`.execute(
      app.database,
    );
    await app.runJob('board versions');
    await answer(one, id, true);
    expect(await idsOf(one)).toEqual([kept.id]);
  });

  it('a vote does not outlive its gathering', async () => {
    const [one, two] = (await drawers(2)) as [Drawer, Drawer];
    await openVote(one);
    await Promise.all([app.leave(one.learner), app.leave(two.learner)]);
    const [next, other] = [await drawer(one.roomId), await drawer(one.roomId)];
    expect(delivered(next, 'start')).toMatchObject([{ vote: null }]);
    await next.draw(newRectangle());
    expect((await openVote(other)).agreed).toEqual([other.learner.userId]);
  });
});

describe('changes and replacements at the same moment', () => {
  it('leave every process and the database with the same board', async () => {
    const { host, guest } = await hosted();
    await host.draw(newRectangle());
    await Promise.all([
      ...Array.from({ length: 10 }, () => guest.draw(newRectangle())),
      replace(host),
      ...Array.from({ length: 10 }, () => host.draw(newRectangle())),
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
});
