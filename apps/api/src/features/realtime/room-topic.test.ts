import type { RoomId, UserId } from '@mogakgong/contract';
import type { Frame } from '@mogakgong/stomp';
import { expect, it } from 'vitest';
import { compareAll, createUnstartedJobs } from '../../../test/compare-all.ts';
import { createInProcessBackplane } from '../../platform/backplane/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import { createLogger } from '../../platform/logger/index.ts';
import type { Seat } from '../rooms/index.ts';
import type { RealtimeHub, Session, Subscription } from './realtime-hub.ts';
import { type Entrance, type RoomFeed, RoomTopic } from './room-topic.ts';
import type { SeatWatch } from './seat-watch.ts';

const seat: Seat = {
  userId: 7 as UserId,
  roomId: 3 as RoomId,
  id: 1,
  sessionId: null,
  epoch: 1,
  isConnected: true,
};

/** A topic for one learner; `happened` records the calls of its feeds. */
function createTopic(onEnter: (entrance: Entrance<unknown>) => Promise<void>) {
  const happened: string[] = [];
  const session = {
    isOpen: true,
    principal: { userId: seat.userId },
    subscriptions: new Map<string, Subscription>(),
  };
  let move: (userId: UserId, from: Seat | null, to: Seat | null) => void = () => undefined;
  const backplane = createInProcessBackplane();
  const jobs = createUnstartedJobs();
  const topic = new RoomTopic<string, RoomFeed<string>>({
    destination: '/topic/any',
    hub: {
      addTopic: () => undefined,
      onSessionEnd: () => undefined,
      sessionsOf: () => [session as unknown as Session],
    } as unknown as RealtimeHub,
    seats: {
      seatOf: async () => seat,
      onMove: (listener: typeof move) => {
        move = listener;
      },
    } as unknown as SeatWatch,
    pairs: {
      ready: async () => undefined,
      apartFrom: () => new Set(),
      onChange: () => undefined,
    },
    backplane,
    jobs,
    logger: createLogger('silent'),
    openFeed: ({ roomId, epoch }) => ({
      receive: (events) => happened.push(`${roomId}.${epoch} ${events}`),
      expectUpTo: (number) => happened.push(`${roomId}.${epoch} is at ${number}`),
      close: () => happened.push(`${roomId}.${epoch} closed`),
    }),
    findNumbers: async (gatherings) => gatherings.map((given) => ({ ...given, number: 9 })),
    onEnter,
    onFailure: (error) => {
      throw error;
    },
  });
  const subscription = {
    session,
    send: () => true,
    isOpen: true,
    groups: new Set(),
  } as unknown as Subscription;
  session.subscriptions.set('1', subscription);
  return {
    topic,
    compare: () => compareAll({ runJob: jobs.run }, 'events of /topic/any'),
    happened,
    subscribe: () => topic.onSubscribe(subscription, {} as Frame, null),
    move: (to: Seat | null) => move(seat.userId, seat, to),
  };
}

it('holds no room for a subscription that is refused', async () => {
  let entered = 0;
  const { topic, happened, subscribe, move } = createTopic(async () => {
    entered += 1;
    throw new ApiError('tooManyRequests');
  });
  await expect(subscribe()).rejects.toMatchObject({ row: 'tooManyRequests' });
  expect(happened).toEqual(['3.1 closed']);
  topic.publish(seat.roomId, ['not heard']);
  // It does not exist: it does not follow when its learner moves.
  move({ ...seat, roomId: 4 as RoomId });
  expect(entered).toBe(1);
  expect(happened).toHaveLength(1);
});

it('has a feed for the newest gathering of each room that somebody receives', async () => {
  const { topic, compare, happened, subscribe, move } = createTopic(async ({ enter }) => enter());
  await subscribe();
  topic.publish(seat.roomId, ['hello', 'there']);
  topic.publish(4 as RoomId, ['elsewhere']);
  await compare();
  expect(happened.splice(0)).toEqual(['3.1 hello,there', '3.1 is at 9']);
  move({ ...seat, epoch: 2 });
  topic.publish(seat.roomId, ['new']);
  move(null);
  topic.publish(seat.roomId, ['too late']);
  expect(happened).toEqual(['3.1 closed', '3.2 new', '3.2 closed']);
});
