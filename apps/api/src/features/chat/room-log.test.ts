import { type ChatMessage, chatMessageId, type RoomId, type UserId } from '@mogakgong/contract';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
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
      log.noteLastNumber(table.length);
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
