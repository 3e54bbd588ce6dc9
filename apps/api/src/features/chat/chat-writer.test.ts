import type { RoomId, UserId } from '@mogakgong/contract';
import { expect, it } from 'vitest';
import { systemClock } from '../../platform/clock/index.ts';
import type { ChatRepository } from './chat.repository.ts';
import { createChatWriter } from './chat-writer.ts';

const roomId = 1 as RoomId;
const message = (index: number) => ({
  roomId,
  epoch: 0,
  senderId: 1 as UserId,
  clientId: `c${index}`,
  content: 'x',
  quote: null,
  receivedMs: 0,
});

function blockFor(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

it('commits twice as far apart as a delivery takes, so that messages gather', async () => {
  const DELIVERY_MS = 5;
  const startsMs: number[] = [];
  const append: ChatRepository['append'] = async (messages) => {
    startsMs.push(performance.now());
    const places = messages.map((_message, index) => ({ roomId, epoch: 0, number: index + 1 }));
    return {
      places,
      stored: places.map((place) => ({ ...place, message: {} as never })),
    };
  };
  const write = createChatWriter({
    repository: { append },
    clock: systemClock,
    metrics: null,
    onStored: () => blockFor(DELIVERY_MS),
  });
  const beganMs = performance.now();
  for (let batch = 0; batch < 5; batch += 1) await write(message(batch));
  // Only the total is exact: a busy machine may run a commit late, and a timer may fire a millisecond early.
  expect(startsMs).toHaveLength(5);
  const lastMs = (startsMs.at(-1) ?? 0) - beganMs;
  expect(lastMs).toBeGreaterThanOrEqual(4 * (2 * DELIVERY_MS - 1));
});
