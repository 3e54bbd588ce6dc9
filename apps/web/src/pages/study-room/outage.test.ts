import { expect, test } from 'vitest';
import type { RoomState } from '../../features/media/room.ts';
import { outageOf } from './outage.ts';

const connected: RoomState = { kind: 'connected' };
const reconnecting: RoomState = { kind: 'reconnecting' };
const waiting: RoomState = { kind: 'waiting', attempt: 0, wasAsleep: false };
const asleep: RoomState = { kind: 'waiting', attempt: 0, wasAsleep: true };

test.each([
  ['nothing is wrong', connected, false, null, undefined],
  ['the media stumble', reconnecting, false, 'room.reconnecting', 'room.timeGoesOn'],
  ['the media server is away', waiting, false, 'room.serverDown', 'room.timeGoesOn'],
  ['the API is away', connected, true, 'room.apiLost', 'room.apiLostHelp'],
  ['both are away', waiting, true, 'room.allLost', 'room.timeForgiven'],
  ['the tab was frozen', asleep, false, 'room.waking', 'room.timeForgiven'],
] as const)('%s', (_, state, isServerLost, title, help) => {
  const outage = outageOf({ isOnline: true, state, isServerLost });
  expect(outage?.title ?? null).toBe(title);
  expect(outage?.help).toBe(help);
});

test('without a network that alone is said', () => {
  const offline = { title: 'room.offline', help: 'room.timeForgiven' };
  expect(outageOf({ isOnline: false, state: waiting, isServerLost: true })).toEqual(offline);
});
