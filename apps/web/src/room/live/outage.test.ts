import { expect, test } from 'vitest';
import type { RoomState } from '../../features/media/room.ts';
import { outageOf } from './outage.ts';

const flowing = true;
const connected: RoomState = { kind: 'connected' };
const reconnecting: RoomState = { kind: 'reconnecting' };
const waiting: RoomState = { kind: 'waiting', attempt: 0, wasAsleep: false };
const asleep: RoomState = { kind: 'waiting', attempt: 0, wasAsleep: true };

test.each([
  ['nothing is wrong', connected, flowing, false, null, undefined],
  ['the media stumble', reconnecting, flowing, false, 'room.reconnecting', 'room.timeGoesOn'],
  ['the media server is away', waiting, !flowing, false, 'room.serverDown', 'room.timeGoesOn'],
  ['the API is away', connected, flowing, true, 'room.apiLost', 'room.apiLostHelp'],
  ['the API and its signalling', reconnecting, flowing, true, 'room.apiLost', 'room.apiLostHelp'],
  ['the whole network', reconnecting, !flowing, true, 'room.allLost', 'room.timeForgiven'],
  ['both are away', waiting, !flowing, true, 'room.allLost', 'room.timeForgiven'],
  ['the tab was frozen', asleep, !flowing, false, 'room.waking', 'room.timeForgiven'],
] as const)('%s', (_, state, arePicturesFlowing, isServerLost, title, help) => {
  const outage = outageOf({ isOnline: true, state, arePicturesFlowing, isServerLost });
  expect(outage?.title ?? null).toBe(title);
  expect(outage?.help).toBe(help);
});

test('without a network only that is reported', () => {
  const offline = { title: 'room.offline', help: 'room.timeForgiven' };
  const lost = { state: waiting, arePicturesFlowing: false, isServerLost: true };
  expect(outageOf({ isOnline: false, ...lost })).toEqual(offline);
});
