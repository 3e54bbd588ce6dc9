import { describe, expect, test } from 'vitest';
import { isUnderWay, nextRoomState, type RoomEvent, type RoomState } from './room-state.ts';

const refusal = { errorName: 'roomFull', message: '가득 찼습니다' };

function after(...events: RoomEvent[]): RoomState {
  return events.reduce(nextRoomState, { kind: 'entering' });
}

describe('the way in', () => {
  test('entering → connecting → connected', () => {
    expect(after({ kind: 'tokenReceived' })).toEqual({ kind: 'connecting' });
    expect(after({ kind: 'tokenReceived' }, { kind: 'connected' })).toEqual({ kind: 'connected' });
  });

  test('a camera that cannot be opened stops it until the learner tries again', () => {
    const stopped = after({ kind: 'cameraFailed', problem: 'denied' }, { kind: 'connected' });
    expect(stopped).toEqual({ kind: 'cameraNeeded', problem: 'denied' });
    expect(nextRoomState(stopped, { kind: 'enter' })).toEqual({ kind: 'entering' });
  });

  test('a refusal stays until the learner decides', () => {
    expect(after({ kind: 'refused', refusal }, { kind: 'lost' })).toEqual({
      kind: 'refused',
      refusal,
    });
  });
});

describe('a lost connection', () => {
  test('counts its tries until it is back', () => {
    const lost: RoomEvent = { kind: 'lost' };
    expect(after(lost)).toEqual({ kind: 'waiting', attempt: 0 });
    expect(after(lost, { kind: 'tokenReceived' }, lost)).toMatchObject({ attempt: 1 });
    expect(after(lost, lost, { kind: 'connected' }, lost)).toMatchObject({ attempt: 0 });
  });

  test('a stumble is one only while connected', () => {
    expect(after({ kind: 'connected' }, { kind: 'stumbled' })).toEqual({ kind: 'reconnecting' });
    expect(after({ kind: 'stumbled' })).toEqual({ kind: 'entering' });
  });
});

describe('a second tab', () => {
  test('takes the room; this tab does not fight for it', () => {
    const replaced = after({ kind: 'connected' }, { kind: 'replaced' });
    for (const event of [{ kind: 'lost' }, { kind: 'connected' }, { kind: 'stumbled' }] as const) {
      expect(nextRoomState(replaced, event)).toBe(replaced);
    }
    expect(nextRoomState(replaced, { kind: 'enter' })).toEqual({ kind: 'entering' });
  });
});

test('leaving is final, in every state', () => {
  const states: RoomState[] = [
    { kind: 'entering' },
    { kind: 'connecting' },
    { kind: 'connected' },
    { kind: 'reconnecting' },
    { kind: 'waiting', attempt: 3 },
    { kind: 'cameraNeeded', problem: 'missing' },
    { kind: 'refused', refusal },
    { kind: 'replaced' },
    { kind: 'removed' },
  ];
  const events: RoomEvent[] = [{ kind: 'enter' }, { kind: 'connected' }, { kind: 'removed' }];
  for (const state of states) {
    const left = nextRoomState(state, { kind: 'leave' });
    expect(left).toEqual({ kind: 'left' });
    expect(isUnderWay(left)).toBe(false);
    for (const event of events) expect(nextRoomState(left, event)).toEqual({ kind: 'left' });
  }
});

test('asking to come in twice does not start over', () => {
  expect(after({ kind: 'connected' }, { kind: 'enter' })).toEqual({ kind: 'connected' });
});
