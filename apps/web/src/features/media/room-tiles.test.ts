import { ConnectionQuality, type Room } from 'livekit-client';
import { describe, expect, test } from 'vitest';
import { RoomTiles } from './room-tiles.ts';

/** What a tile needs to know of a participant, in the shape that the media library gives it. */
interface Participant {
  identity: string;
  joinedAt: Date;
  connectionQuality?: ConnectionQuality;
  camera?: { isMuted: boolean; videoTrack?: object };
}

const longAgo = new Date(0);
const track = { attach: () => {}, detach: () => {} };
const cameraOff = { kind: 'off' } as const;

function roomWith(...participants: Participant[]): Room {
  const entries = participants.map((participant) => [
    participant.identity,
    {
      name: `이름 ${participant.identity}`,
      connectionQuality: ConnectionQuality.Good,
      getTrackPublication: () => participant.camera,
      ...participant,
    },
  ]);
  return { remoteParticipants: new Map(entries as []) } as unknown as Room;
}

function learner(identity: string, more: Partial<Participant> = {}): Participant {
  return { identity, joinedAt: longAgo, camera: { isMuted: false, videoTrack: track }, ...more };
}

function tiles(): RoomTiles {
  return new RoomTiles({ identity: 'me', name: '나' });
}

describe('a tile says why it has no picture', () => {
  test.each([
    [
      'its camera is starting',
      learner('a', { joinedAt: new Date(), camera: undefined }),
      'starting',
    ],
    ['its picture is on the way', learner('a', { camera: { isMuted: false } }), 'starting'],
    ['it never came', learner('a', { camera: undefined }), 'cameraOff'],
    ['it is off', learner('a', { camera: { isMuted: true } }), 'cameraOff'],
    [
      'its connection is lost',
      learner('a', { connectionQuality: ConnectionQuality.Lost }),
      'connectionLost',
    ],
    ['nothing is wrong', learner('a'), 'picture'],
  ])('because %s', (_, participant, view) => {
    expect(tiles().build(roomWith(participant as Participant), cameraOff, false)[1]?.view).toBe(
      view,
    );
  });

  test('because I hid it', () => {
    const room = tiles();
    room.setHidden('a', true);
    expect(room.build(roomWith(learner('a')), cameraOff, false)[1]).toMatchObject({
      view: 'hidden',
      picture: null,
    });
    room.setHidden('a', false);
    expect(room.build(roomWith(learner('a')), cameraOff, false)[1]?.view).toBe('picture');
  });
});

test('a tile that did not change stays the same object', () => {
  const room = tiles();
  const [, before] = room.build(roomWith(learner('a')), cameraOff, false);
  const [, after] = room.build(roomWith(learner('a'), learner('b')), cameraOff, false);
  expect(after).toBe(before);
});

describe('an outage', () => {
  const identities = (list: readonly { identity: string }[]) => list.map((tile) => tile.identity);

  test('keeps everybody in their place, whoever comes back first', () => {
    const room = tiles();
    room.build(roomWith(learner('a'), learner('b'), learner('c')), cameraOff, false);
    expect(identities(room.build(null, cameraOff, true))).toEqual(['me', 'a', 'b', 'c']);
    const half = room.build(roomWith(learner('c')), cameraOff, true);
    expect(half.map((tile) => tile.view)).toEqual([
      'cameraOff',
      'connectionLost',
      'connectionLost',
      'picture',
    ]);
    expect(identities(half)).toEqual(['me', 'a', 'b', 'c']);
  });

  test('closes the gap of those who did not come back', () => {
    const room = tiles();
    room.build(roomWith(learner('a'), learner('b')), cameraOff, false);
    room.build(null, cameraOff, true);
    expect(identities(room.build(roomWith(learner('b')), cameraOff, false))).toEqual(['me', 'b']);
  });
});

describe('seats', () => {
  const seated = (...identities: string[]) =>
    identities.map((identity) => ({ identity, name: `자리 ${identity}`, isConnected: true }));
  const views = (list: readonly { identity: string; view: string }[]) =>
    list.slice(1).map(({ identity, view }) => `${identity}: ${view}`);

  test('have a tile each, with the name of the seat and the picture of the media room', () => {
    const room = tiles();
    room.setRoster({ seated: seated('me', 'a', 'b'), isLive: true });
    const built = room.build(roomWith(learner('b')), cameraOff, false);
    expect(views(built)).toEqual(['a: connecting', 'b: picture']);
    expect(built[2]?.name).toBe('자리 b');
  });

  test('whose learner lost the connection say so', () => {
    const room = tiles();
    const lost = { identity: 'a', name: '자리 a', isConnected: false };
    room.setRoster({ seated: [lost], isLive: true });
    expect(views(room.build(roomWith(), cameraOff, false))).toEqual(['a: connectionLost']);
    // A picture that moves says more than a roster.
    expect(views(room.build(roomWith(learner('a')), cameraOff, false))).toEqual(['a: picture']);
  });

  test('that are given up have no tile, whatever the media room still shows', () => {
    const room = tiles();
    room.setRoster({ seated: seated('me', 'a'), isLive: true });
    expect(views(room.build(roomWith(learner('a'), learner('b')), cameraOff, false))).toEqual([
      'a: picture',
    ]);
  });

  test('that were given up during an outage of the media are not kept', () => {
    const room = tiles();
    room.setRoster({ seated: seated('a', 'b'), isLive: true });
    room.build(roomWith(learner('a'), learner('b')), cameraOff, false);
    room.setRoster({ seated: seated('a'), isLive: true });
    expect(views(room.build(null, cameraOff, true))).toEqual(['a: connectionLost']);
  });

  test('that are known no better than before the connection was lost follow the media room', () => {
    const room = tiles();
    room.setRoster({ seated: seated('me', 'a', 'b', 'c'), isLive: true });
    room.build(roomWith(learner('a'), learner('b')), cameraOff, false);
    room.setRoster({ seated: seated('me', 'a', 'b', 'c'), isLive: false });
    room.build(roomWith(learner('a'), learner('b'), learner('d')), cameraOff, false);
    const later = room.build(roomWith(learner('b'), learner('d')), cameraOff, false);
    expect(views(later)).toEqual(['b: picture', 'c: connecting', 'd: picture']);
  });

  test('keep their order when pictures come and go', () => {
    const room = tiles();
    room.setRoster({ seated: seated('a', 'b', 'c'), isLive: true });
    room.build(roomWith(learner('c')), cameraOff, false);
    const later = room.build(roomWith(learner('c'), learner('a')), cameraOff, false);
    expect(later.map(({ identity }) => identity)).toEqual(['me', 'a', 'b', 'c']);
  });

  test('of blocked learners show nothing of them, with or without a picture', () => {
    const room = tiles();
    room.setRoster({ seated: seated('a', 'b'), isLive: true });
    room.setBlocked(new Set(['a', 'b']));
    const built = room.build(roomWith(learner('a')), cameraOff, false);
    expect(views(built)).toEqual(['a: blocked', 'b: blocked']);
    expect(built.map(({ picture }) => picture)).toEqual([null, null, null]);
    expect(room.isHidden('a')).toBe(true);
    expect(views(room.build(null, cameraOff, true))).toEqual(['a: blocked', 'b: blocked']);
  });
});
