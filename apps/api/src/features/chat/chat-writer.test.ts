import type { RoomId, UserId } from '@mogakgong/contract';
import { expect, it } from 'vitest';
import { systemClock } from '../../platform/clock/index.ts';
import type { ChatRepository, NewMessage } from './chat.repository.ts';
import { createChatWriter } from './chat-writer.ts';

const roomId = 1 as RoomId;
const message = (index: number): NewMessage => ({
  roomId,
  epoch: 0,
  senderId: 1 as UserId,
  clientId: `c${index}`,
  content: 'x',
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
    onStored: () => blockFor(DELIVERY_MS),
  });
  for (let batch = 0; batch < 5; batch += 1) await write(message(batch));
  const gapsMs = startsMs.slice(1).map((startMs, index) => startMs - (startsMs[index] ?? 0));
  expect(gapsMs).toHaveLength(4);
  // A timer may fire a millisecond early.
  for (const gapMs of gapsMs) expect(gapMs).toBeGreaterThanOrEqual(2 * DELIVERY_MS - 1);
});
