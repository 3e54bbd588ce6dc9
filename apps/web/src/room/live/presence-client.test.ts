import {
  type Member,
  type PomodoroSchedule,
  RoomId,
  stillClock,
  UserId,
} from '@mogakgong/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeTransport } from '../../../testing/fake-transport.ts';
import { Presence } from './presence.ts';

const ROOM = RoomId.parse(7);

function member(id: number, more: Partial<Member> = {}): Member {
  return {
    userId: UserId.parse(id),
    nickname: `이름 ${id}`,
    profileImage: 'default.jpg',
    title: null,
    connection: 'here',
    clock: stillClock('idle', 0),
    ...more,
  };
}

let transport: FakeTransport;
let presence: Presence;
const onSchedule = vi.fn();
beforeEach(() => {
  transport = new FakeTransport();
  onSchedule.mockClear();
  presence = new Presence(ROOM, transport, onSchedule);
});

const ids = () => presence.store.getState().members?.map(({ userId }) => userId);

function snapshot(number: number, ...members: Member[]): void {
  transport.deliver({ kind: 'snapshot', roomId: ROOM, number, members, serverNowMs: 0 });
}
function snapshotWith(number: number, pomodoro: PomodoroSchedule): void {
  const members = [member(1)];
  transport.deliver({ kind: 'snapshot', roomId: ROOM, number, members, pomodoro, serverNowMs: 0 });
}
function change(number: number, what: object): void {
  transport.deliver({ kind: 'change', roomId: ROOM, number, change: what });
}

test('a group that has changed is read again, in its room alone', () => {
  const about = {
    ...{ name: '새벽반', goal: '', hostId: null, isPublic: false },
    needsCamera: false,
  };
  const deliver = (number: number, more: object) =>
    transport.deliver({
      ...{ kind: 'snapshot', roomId: ROOM, number, members: [member(1)], serverNowMs: 0 },
      about: { ...about, needsApproval: false, ...more },
    });
  deliver(1, {});
  const subscriptions = transport.subscribed.length;
  presence.readGroupAgain();
  expect(transport.subscribed).toHaveLength(subscriptions);
  deliver(2, { isGroup: true });
  presence.readGroupAgain();
  expect(transport.subscribed).toHaveLength(subscriptions + 1);
  deliver(2, { isGroup: true, name: '스터디 그룹' });
  expect(presence.store.getState().about?.name).toBe('스터디 그룹');
});

describe('the members of a room', () => {
  test('are unknown before the snapshot', () => {
    change(1, { type: 'joined', member: member(1) });
    expect(presence.store.getState()).toEqual({
      members: null,
      pomodoro: null,
      about: null,
      isLive: false,
    });
  });

  test('are the snapshot with every change by its number', () => {
    snapshot(4, member(1), member(2));
    change(5, { type: 'joined', member: member(3) });
    change(6, { type: 'connectionLost', userId: 2 });
    change(7, { type: 'left', userId: 1 });
    expect(ids()).toEqual([2, 3]);
    expect(presence.store.getState().members?.[0]?.connection).toBe('lost');
  });

  test('include a host where the snapshot says so, until another follows', () => {
    const rules = { isPublic: true, needsApproval: false, needsCamera: true };
    const about = { name: '토익', goal: '', hostId: 1, ...rules };
    transport.deliver({
      kind: 'snapshot',
      roomId: ROOM,
      number: 4,
      members: [member(1), member(2)],
      about,
      serverNowMs: 0,
    });
    expect(presence.store.getState().about).toEqual(about);
    change(5, { type: 'host', userId: 2 });
    expect(presence.store.getState().about).toEqual({ ...about, hostId: 2 });
    expect(ids()).toEqual([1, 2]);
    snapshot(6, member(1));
    expect(presence.store.getState().about).toBeNull();
  });

  test('apply a change once', () => {
    snapshot(4, member(1));
    change(5, { type: 'joined', member: member(2) });
    change(5, { type: 'left', userId: 1 });
    expect(ids()).toEqual([1, 2]);
  });

  test('are loaded again where a number is missing, and kept until the answer', () => {
    snapshot(4, member(1));
    const asked = transport.subscribed.length;
    change(6, { type: 'left', userId: 1 });
    change(7, { type: 'joined', member: member(9) });
    expect(transport.subscribed.length).toBe(asked + 1);
    expect(ids()).toEqual([1]);
    snapshot(7, member(2), member(9));
    expect(ids()).toEqual([2, 9]);
  });

  test('come with the room’s schedule', () => {
    const schedule = { focusMinutes: 25, breakMinutes: 5, startedAtMs: 1_000 };
    snapshot(4, member(1));
    expect(presence.store.getState().pomodoro).toBeNull();
    change(5, { type: 'pomodoro', userId: 1, schedule });
    change(6, { type: 'joined', member: member(2) });
    expect(presence.store.getState().pomodoro).toEqual(schedule);
    change(7, { type: 'pomodoro', userId: 2, schedule: null });
    expect(presence.store.getState().pomodoro).toBeNull();
  });

  describe('the start of a schedule is announced once', () => {
    const first = { focusMinutes: 25, breakMinutes: 5, startedAtMs: 1_000 };
    const second = { ...first, startedAtMs: 2_000 };
    const told = () => onSchedule.mock.calls.map(([{ userId, schedule }]) => [userId, schedule]);

    test('where a number is missing', () => {
      snapshot(4, member(1));
      change(6, { type: 'joined', member: member(2) });
      snapshotWith(6, first);
      expect(told()).toEqual([[undefined, first]]);
      change(8, { type: 'left', userId: 2 });
      snapshotWith(8, first);
      expect(told()).toHaveLength(1);
    });

    test('after an outage, without repeating earlier announcements', () => {
      snapshot(4, member(1));
      change(5, { type: 'pomodoro', userId: 1, schedule: first });
      transport.change('disconnected');
      transport.change('connected');
      snapshotWith(5, first);
      expect(told()).toEqual([[1, first]]);
      transport.change('disconnected');
      transport.change('connected');
      snapshotWith(9, second);
      expect(told()).toEqual([
        [1, first],
        [undefined, second],
      ]);
    });

    test('unless it was running when the learner came', () => {
      snapshotWith(4, first);
      expect(told()).toEqual([]);
    });
  });

  test('the members are marked stale while the connection is lost', () => {
    snapshot(4, member(1));
    transport.change('disconnected');
    expect(presence.store.getState()).toMatchObject({ isLive: false });
    expect(ids()).toEqual([1]);
    transport.change('connected');
    snapshot(9, member(2));
    expect(presence.store.getState()).toMatchObject({ isLive: true });
    expect(ids()).toEqual([2]);
  });

  test('the members are those of this room only', () => {
    snapshot(1, member(1));
    transport.deliver({
      kind: 'snapshot',
      roomId: 8,
      number: 2,
      members: [member(2)],
      serverNowMs: 0,
    });
    expect(ids()).toEqual([1]);
  });
});
