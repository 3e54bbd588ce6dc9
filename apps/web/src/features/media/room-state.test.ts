import { describe, expect, test } from 'vitest';
import { nextRoomState, type RoomState, type StateEvent } from './room-state.ts';

const refusal = { errorName: 'roomFull', message: '가득 찼습니다' };

function after(...events: StateEvent[]): RoomState {
  return events.reduce(nextRoomState, { kind: 'entering' });
}

describe('the way in', () => {
  test('entering → connecting → connected', () => {
    expect(after({ kind: 'tokenReceived' })).toEqual({ kind: 'connecting' });
    expect(after({ kind: 'tokenReceived' }, { kind: 'connected' })).toEqual({ kind: 'connected' });
  });

  test('a refusal stays until the learner decides', () => {
    expect(after({ kind: 'refused', refusal }, { kind: 'lost' })).toEqual({
      kind: 'refused',
      refusal,
    });
  });
});

describe('a lost connection', () => {
  test('counts its tries until it reconnects', () => {
    const lost: StateEvent = { kind: 'lost' };
    expect(after(lost)).toEqual({ kind: 'waiting', attempt: 0, wasAsleep: false });
    expect(after(lost, { kind: 'tokenReceived' }, lost)).toMatchObject({ attempt: 1 });
    expect(after(lost, lost, { kind: 'connected' }, lost)).toMatchObject({ attempt: 0 });
  });

  test('after a freeze of the tab counts as sleep, until a try fails', () => {
    const asleep = after({ kind: 'connected' }, { kind: 'asleep' });
    expect(asleep).toEqual({ kind: 'waiting', attempt: 0, wasAsleep: true });
    expect(nextRoomState(asleep, { kind: 'lost' })).toMatchObject({ attempt: 1, wasAsleep: false });
  });

  test('a short interruption counts only while connected', () => {
    expect(after({ kind: 'connected' }, { kind: 'stumbled' })).toEqual({ kind: 'reconnecting' });
    expect(after({ kind: 'stumbled' })).toEqual({ kind: 'entering' });
  });
});

describe('a second tab', () => {
  test('takes the room; this tab does not claim it back', () => {
    const replaced = after({ kind: 'connected' }, { kind: 'replaced' });
    for (const event of [{ kind: 'lost' }, { kind: 'connected' }, { kind: 'stumbled' }] as const) {
      expect(nextRoomState(replaced, event)).toBe(replaced);
    }
    expect(nextRoomState(replaced, { kind: 'enter' })).toEqual({ kind: 'entering' });
  });
});

test('entering twice does not restart', () => {
  expect(after({ kind: 'connected' }, { kind: 'enter' })).toEqual({ kind: 'connected' });
});
