import {
  type ChatMessage,
  type ChatPosition,
  type ChatRecovery,
  chatMessageId,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { StoredMessage } from './chat.repository.ts';
import { RoomLog } from './room-log.ts';

const gathering = { roomId: 7 as RoomId, epoch: 2 };

function stored(number: number): StoredMessage {
  const position = { ...gathering, number };
  return {
    ...position,
    message: {
      senderId: 1 as UserId,
      roomId: gathering.roomId,
      content: `message ${number}`,
      timestamp: '2026-11-21T00:00:00.000Z',
      nickname: 'n',
      profileImage: 'default.jpg',
      id: chatMessageId(position),
    },
  };
}

/** Events come late, twice, in any order or never; the database is asked now and then. */
it('delivers every message once and in order, whatever becomes of the events', async () => {
  const plan = fc.record({
    before: fc.integer({ min: 0, max: 60 }),
    fates: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 60 }),
    order: fc.infiniteStream(fc.nat()),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ before, fates, order }) => {
      const table = Array.from({ length: before }, (_, index) => stored(index + 1));
      const delivered: ChatMessage[] = [];
      const log = new RoomLog({
        gathering,
        publish: (message) => void delivered.push(message),
        loadLatest: async () => table.slice(-50),
        loadSince: async ({ number }, limit) =>
          table.filter((row) => row.number > number).slice(0, limit),
        loadMissed: async ({ number }) => table.filter((row) => row.number > number).slice(0, 250),
        onFailure: (error) => {
          throw error;
        },
      });
      const ready = log.ready();
      const events: StoredMessage[] = [];
      for (const [index, fate] of fates.entries()) {
        const row = stored(before + index + 1);
        table.push(row);
        if (fate < 6) log.receive([row]);
        else if (fate < 9) events.splice((order.next().value ?? 0) % (events.length + 1), 0, row);
      }
      await ready;
      for (const event of [...events, ...events]) log.receive([event]);
      log.expectUpTo(table.length);
      await vi.waitFor(
        () =>
          expect(delivered.at(-1)?.id ?? stored(before).message.id).toBe(table.at(-1)?.message.id),
        {
          interval: 1,
        },
      );
      const firstDelivered = table.length - delivered.length + 1;
      expect(delivered.map(({ id }) => id)).toEqual(
        table.slice(firstDelivered - 1).map(({ message }) => message.id),
      );

      const recovered: string[] = [];
      const half = Math.floor(table.length / 2);
      await log.giveRecovery(chatMessageId({ ...gathering, number: half }), (recovery) => {
        expect(recovery.recovered).toBe(true);
        recovered.push(...recovery.messages.map(({ id }) => id));
      });
      expect(recovered).toEqual(table.slice(half).map(({ message }) => message.id));
      log.close();
    }),
    { numRuns: 150 },
  );
});

const position = (number: number): ChatPosition => ({ ...gathering, number });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => stored(index + 1));

/** A log over a table that a test fills; `onMissed` runs while missed messages are being loaded. */
async function createLog(table: StoredMessage[], onMissed = (_log: RoomLog) => {}) {
  const since = ({ number }: ChatPosition, limit: number) =>
    table.filter((row) => row.number > number).slice(0, limit);
  const loads = { missed: 0, since: 0 };
  const log: RoomLog = new RoomLog({
    gathering,
    publish: () => undefined,
    loadLatest: async () => table.slice(-50),
    loadSince: async (from, limit) => {
      loads.since += 1;
      return since(from, limit);
    },
    loadMissed: async (from) => {
      loads.missed += 1;
      const rows = since(from, 250);
      onMissed(log);
      return rows;
    },
    onFailure: (error) => {
      throw error;
    },
  });
  await log.ready();
  const recover = async (lastNumber: number) => {
    const taken: ChatRecovery[] = [];
    await log.giveRecovery(chatMessageId(position(lastNumber)), (recovery) => taken.push(recovery));
    expect(taken).toHaveLength(1);
    return taken[0] as ChatRecovery;
  };
  return { log, loads, recover };
}

const numbersOf = ({ messages }: ChatRecovery) =>
  messages.map(({ content }) => Number(content.split(' ')[1]));

describe('a recovery', () => {
  it('takes one query, however much is said meanwhile', async () => {
    const table = upTo(100);
    const { loads, recover } = await createLog(table, (log) => {
      for (let count = 0; count < 3; count += 1) {
        const row = stored(table.length + 1);
        table.push(row);
        log.receive([row]);
      }
    });
    const recovery = await recover(20);
    expect(recovery.recovered).toBe(true);
    expect(numbersOf(recovery)).toEqual(Array.from({ length: 83 }, (_, index) => index + 21));
    expect(loads).toEqual({ missed: 1, since: 0 });
  });

  it('becomes a fresh page when more is said meanwhile than is remembered', async () => {
    const table = upTo(100);
    const { recover } = await createLog(table, (log) => {
      const rows = Array.from({ length: 1_000 }, (_, index) => stored(101 + index));
      table.push(...rows);
      log.receive(rows);
    });
    const recovery = await recover(20);
    expect(recovery.recovered).toBe(false);
    expect(numbersOf(recovery)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1_051));
  });

  it('catches up with a learner who received more from another process', async () => {
    const table = upTo(10);
    const { recover, loads } = await createLog(table);
    for (let number = 11; number <= 515; number += 1) table.push(stored(number));
    const recovery = await recover(512);
    expect(recovery.recovered).toBe(true);
    expect(numbersOf(recovery)).toEqual([513, 514, 515]);
    expect(loads.since).toBe(3);
  });

  it('behind a number that was never given is a fresh page, after one look', async () => {
    const { recover, loads } = await createLog(upTo(10));
    const recovery = await recover(1_000_000);
    expect(recovery.recovered).toBe(false);
    expect(numbersOf(recovery)).toHaveLength(10);
    expect(loads.since).toBe(1);
  });
});
