import { type ChatMessage, destinations, type RoomId } from '@mogakgong/contract';
import pg from 'pg';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { query } from '../../../../../test/admin-query.ts';
import { newRectangle } from '../../../test/drawings.ts';
import type { Received, TestClient } from '../../../test/stomp-client.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({ databaseOptions: { statementTimeoutMs: 700 } });

const admin = () => ({ ...inject('postgres'), database: app.databaseName });
/** Clean-up after a test, whatever its result. */
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0)) await each();
});

/** Holds a table for longer than a statement may wait; returns a function that releases it. */
async function lock(table: string): Promise<() => Promise<void>> {
  const holder = new pg.Client(admin());
  await holder.connect();
  await holder.query(`begin; lock table ${table} in access exclusive mode`);
  undo.push(() => holder.end());
  return async () => void (await holder.query('rollback'));
}

/** Hides a table, which no statement expects; returns a function that restores it. */
async function hide(table: string): Promise<() => Promise<unknown>> {
  await query(admin(), `alter table ${table} rename to hidden_table`);
  let isHidden = true;
  const giveBack = async () => {
    if (isHidden) await query(admin(), `alter table hidden_table rename to ${table}`);
    isHidden = false;
  };
  undo.push(giveBack);
  return giveBack;
}

async function seated(roomId: RoomId) {
  const learner = await app.newLearner();
  await app.seat(learner, roomId);
  const client = await clients.connectAs(app, learner);
  return { learner, client };
}

const say = (
  { client, learner }: { client: TestClient; learner: Learner },
  roomId: RoomId,
  clientId: string,
) =>
  client.send(
    destinations.sendChat,
    { senderId: learner.userId, roomId, content: clientId },
    { 'client-id': clientId },
  );

const textsOf = (received: readonly Received[]) =>
  received.flatMap(({ body }) =>
    (body.messages ?? [body]).map(({ content }: ChatMessage) => content),
  );

/** Checks that the connection stays, and its last frame was refused as our own failure. */
function expectRefused(client: TestClient, row = 'unavailable') {
  const { headers } = client.errors.at(-1) ?? {};
  expect([client.isConnected, client.closeCode, headers?.error]).toEqual([true, undefined, row]);
  expect(headers?.['receipt-id']).toBeDefined();
  expect(Number(headers?.['retry-after'])).toBeGreaterThan(0);
}

describe('a failure of ours is answered with ERROR on a connection that stays:', () => {
  it('of a batch of chat, to all fifteen senders; sent again, each is stored once', async () => {
    const roomId = await app.openRoom();
    const senders = await Promise.all(Array.from({ length: 15 }, () => seated(roomId)));
    const [first] = senders;
    const received = (await first?.client.subscribe(destinations.messages, {
      'last-id': '',
    })) as Received[];
    const release = await lock('chat_message');
    await Promise.all(senders.map((sender, index) => say(sender, roomId, `m${index}`)));
    for (const { client } of senders) expectRefused(client);
    await release();
    for (let time = 0; time < 2; time += 1) {
      const receipts = await Promise.all(
        senders.map((sender, index) => say(sender, roomId, `m${index}`)),
      );
      expect(receipts.filter((receipt) => receipt?.headers['message-id'])).toHaveLength(15);
    }
    await vi.waitFor(() => expect(textsOf(received)).toHaveLength(15));
    expect(new Set(textsOf(received)).size).toBe(15);
  });

  it('one that nobody foresaw, as "internal"; the log says which', async () => {
    const roomId = await app.openRoom();
    const sender = await seated(roomId);
    const giveBack = await hide('chat_message');
    await say(sender, roomId, 'unforeseen');
    expectRefused(sender.client, 'internal');
    expect(app.logLines.join('')).toContain('"code":"42P01"');
    await giveBack();
    expect(await say(sender, roomId, 'unforeseen')).toBeDefined();
  });

  it('of a change of a board', async () => {
    const roomId = await app.openRoom();
    const { client } = await seated(roomId);
    const board = await client.subscribe(destinations.board);
    const { generation } = board[0]?.body ?? {};
    const change = { roomId, generation, elements: [newRectangle()] };
    const release = await lock('board_element');
    await client.send(destinations.sendBoard, change);
    expectRefused(client);
    await release();
    const receipt = await client.send(destinations.sendBoard, change);
    expect(receipt?.headers.number).toBe('1');
  });

  it.each([destinations.messages, destinations.board, destinations.presence])(
    'of a SUBSCRIBE of %s, which can be made again',
    async (destination) => {
      const roomId = await app.openRoom();
      const { client } = await seated(roomId);
      const release = await lock('seat, chat_message, chat_counter, board');
      await client.subscribe(destination, { 'last-id': '' });
      expectRefused(client);
      await release();
      expect(await client.subscribe(destination, { 'last-id': '' })).not.toEqual([]);
      expect(client.closeCode).toBeUndefined();
    },
  );
});

describe('a learner who moves while the database fails', () => {
  it('keeps the connection and gets the chat of the new room when it is back', async () => {
    const [from, to] = [await app.openRoom(), await app.openRoom()];
    const { learner, client } = await seated(from);
    const received = await client.subscribe(destinations.messages, { 'last-id': '' });
    const speaker = await seated(to);
    await say(speaker, to, 'before');
    const release = await lock('chat_message');
    await app.leave(learner);
    await app.seat(learner, to);
    await vi.waitFor(() => expect(app.logLines.join('')).toMatch(/chat failed/u), {
      timeout: 10_000,
    });
    await release();
    await vi.waitFor(() => expect(textsOf(received)).toContain('before'), {
      timeout: 10_000,
    });
    await say(speaker, to, 'afterwards');
    await vi.waitFor(() => expect(textsOf(received)).toContain('afterwards'));
    expect([client.closeCode, client.errors]).toEqual([undefined, []]);
  });
});
