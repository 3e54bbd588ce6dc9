import { type BoardElement, destinations } from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { compareAll } from '../../../test/compare-all.ts';
import { changed, type Drawer, newDrawer, newText, readBoard } from '../../../test/drawings.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room', 'board', 'block'] });

const drawer = () => newDrawer(clients, app);

const block = (method: 'PUT' | 'DELETE', by: Drawer, whom: Drawer) =>
  app.inject({ method, url: `/api/blocks/${whom.learner.userId}`, headers: by.learner.headers });

const starts = ({ received }: Drawer) => received.filter(({ body }) => body.kind === 'start');
/** All messages as text: nothing of a hidden learner may appear in it. */
const delivered = ({ received }: Drawer, from = 0) =>
  JSON.stringify(received.slice(from).map(({ body }) => body));
const textsOf = (elements: readonly BoardElement[]) => elements.map(({ text }) => text);
const readTexts = async ({ learner, roomId }: Drawer, query: Record<string, string> = {}) =>
  textsOf((await readBoard(app, learner, roomId, query)).elements);
const untilNumber = (drawers: readonly Drawer[], number: number) =>
  vi.waitFor(() => {
    for (const { received } of drawers) {
      expect(received.at(-1)?.body).toMatchObject({ number });
    }
  });

describe('a blocked learner with a client of their own', () => {
  async function blockedPair() {
    const [blocker, blocked, third] = [await drawer(), await drawer(), await drawer()];
    const known = newText('drawn before');
    await blocker.draw(known);
    await block('PUT', blocker, blocked);
    await vi.waitFor(() => {
      for (const apart of [blocker, blocked]) expect(starts(apart)).toHaveLength(2);
    });
    return { blocker, blocked, third, known };
  }

  it('gets nothing of them: no drawing, no deletion, no change by a third', async () => {
    const { blocker, blocked, third, known } = await blockedPair();
    const before = blocked.received.length;
    const secret = newText('a secret');
    await blocker.draw(secret);
    await third.draw(changed(known, { text: 'changed by a third', originalText: 'x' }));
    await blocker.draw(changed(secret, { isDeleted: true }));
    await third.draw(newText('for everybody'));
    await untilNumber([blocker, blocked, third], 5);
    expect(delivered(blocked, before)).not.toMatch(/secret|by a third/u);
    for (const hidden of [secret.id, known.id]) {
      expect(delivered(blocked, before)).not.toContain(hidden);
    }
    expect(await readTexts(blocked)).toEqual(['for everybody']);
    const since = { generation: String(blocked.generation), since: '1' };
    expect(await readTexts(blocked, since)).toEqual(['for everybody']);
    // The same with another connection, and a room in the destination.
    const again = await clients.connectAs(app, blocked.learner);
    const received = await again.subscribe(`${destinations.board}/${blocked.roomId}`);
    await blocker.draw(newText('another secret'));
    await third.draw(newText('the last'));
    await vi.waitFor(() => expect(JSON.stringify(received.at(-1)?.body)).toContain('the last'));
    expect(JSON.stringify(received.map(({ body }) => body))).not.toContain('secret');
  });

  it('reaches nobody through what they made: such a change loses', async () => {
    const { blocker, blocked, third, known } = await blockedPair();
    const own = newText('of the blocked');
    const receipt = await blocked.draw(
      changed(known, { text: 'an insult', version: known.version + 500 }),
      own,
    );
    // Not a failure, so that an honest client with a pending change goes on.
    expect(receipt?.headers.number).toBe('2');
    await blocked.draw(changed(known, { isDeleted: true }));
    await blocker.draw(changed(own, { text: 'an answer', version: 900 }));
    await third.draw(newText('for everybody'));
    await untilNumber([blocker, blocked, third], 3);
    expect(await readTexts(third)).toEqual(['drawn before', 'of the blocked', 'for everybody']);
    expect(await readTexts(blocker)).toEqual(['drawn before', 'for everybody']);
    expect(await readTexts(blocked)).toEqual(['of the blocked', 'for everybody']);
  });

  it('and their blocker sees everything again when the block is lifted', async () => {
    const { blocker, blocked, third } = await blockedPair();
    await blocked.draw(newText('of the blocked'));
    await block('DELETE', blocker, blocked);
    await vi.waitFor(() => {
      for (const apart of [blocker, blocked]) expect(starts(apart)).toHaveLength(3);
    });
    const all = await readTexts(third);
    expect(all).toHaveLength(2);
    expect(await readTexts(blocker)).toEqual(all);
    expect(await readTexts(blocked)).toEqual(all);
  });
});

async function deleteAccount({ userId }: Learner): Promise<void> {
  await sql`update users set deletes_at = ${app.clock.now()}::timestamptz - interval '1 minute'
            where id = ${userId}`.execute(app.database);
  await app.runJob('account deletions');
}

describe('a learner with a deleted account', () => {
  it('loses their drawings on the board, before the eyes of all', async () => {
    const [leaver, other] = [await drawer(), await drawer()];
    const [own, gone] = [newText('of the leaver'), newText('deleted before')];
    await leaver.draw(own, gone);
    await leaver.draw(changed(gone, { isDeleted: true }));
    await other.draw(newText('of the other'));
    await other.draw(changed(own, { x: 5 }));
    await deleteAccount(leaver.learner);
    await untilNumber([other], 5);
    expect(other.received.at(-1)?.body).toMatchObject({
      kind: 'changes',
      elements: [{ id: own.id, type: 'text', isDeleted: true, version: own.version + 2 }],
    });
    expect(await readTexts(other)).toEqual(['of the other']);
    const { rows } = await sql`
      select from board_element where author_id = ${leaver.learner.userId}`.execute(app.database);
    expect(rows).toEqual([]);
    // A learner absent meanwhile reads the whole board: no row records the deletion any more.
    const since = { generation: String(other.generation), since: '4' };
    const missed = await readBoard(app, other.learner, other.roomId, since);
    expect(missed).toMatchObject({ isWhole: true, number: 5 });
  });

  it('is forgotten also where the event of it is lost', async () => {
    const [leaver, other] = [await drawer(), await drawer()];
    await leaver.draw(newText('of the leaver'));
    await sql`delete from board_element where author_id = ${leaver.learner.userId}`.execute(
      app.database,
    );
    await sql`update board set number = 2, purged_number = 2`.execute(app.database);
    await compareAll(app, 'events of /topic/board');
    await untilNumber([other], 2);
    expect(await readTexts(other)).toEqual([]);
  });
});
