import type { RoomId, UserId } from '@mogakgong/contract';
import type { Frame } from '@mogakgong/stomp';
import { expect, it } from 'vitest';
import { ApiError } from '../../platform/http/index.ts';
import type { RealtimeHub, Session, Subscription } from '../../platform/realtime/index.ts';
import type { Seat } from '../rooms/index.ts';
import { RoomTopic } from './room-topic.ts';
import type { SeatWatch } from './seat-watch.ts';

const seat: Seat = { userId: 7 as UserId, roomId: 3 as RoomId, epoch: 1, isConnected: true };

it('holds no room for a subscription that is refused', async () => {
  const held: boolean[] = [];
  let entered = 0;
  const session = { isOpen: true, principal: { userId: seat.userId } } as unknown as Session;
  let move: (userId: UserId, from: Seat | null, to: Seat | null) => void = () => undefined;
  const topic = new RoomTopic({
    destination: '/topic/any',
    hub: {
      addTopic: () => undefined,
      onSessionEnd: () => undefined,
      sessionsOf: () => [session],
    } as unknown as RealtimeHub,
    seats: {
      seatOf: async () => seat,
      onMove: (listener: typeof move) => {
        move = listener;
      },
    } as unknown as SeatWatch,
    onEnter: async () => {
      entered += 1;
      throw new ApiError('tooManyRequests');
    },
    onHeld: (_roomId, isHeld) => held.push(isHeld),
    onFailure: (error) => {
      throw error;
    },
  });
  const subscription = { session, leaveGroup: () => undefined } as unknown as Subscription;
  const refused = topic.onSubscribe(subscription, {} as Frame, null);
  await expect(refused).rejects.toMatchObject({ row: 'tooManyRequests' });
  expect(held).toEqual([true, false]);
  // It does not exist: it is not taken along when its learner moves.
  move(seat.userId, seat, { ...seat, roomId: 4 as RoomId });
  expect(entered).toBe(1);
});
