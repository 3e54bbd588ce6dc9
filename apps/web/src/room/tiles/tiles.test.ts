import { type Member, stillClock, UserId } from '@mogakgong/contract';
import { describe, expect, test } from 'vitest';
import type { Participant } from '../../features/media/room.ts';
import { type Tile, type TileSources, tilesOf } from './tiles.ts';

const picture = { attach: () => {}, detach: () => {} };

function participant(id: number, more: Partial<Participant> = {}): Participant {
  return { userId: UserId.parse(id), name: `이름 ${id}`, view: 'picture', picture, ...more };
}

const members = (...ids: number[]): readonly Member[] =>
  ids.map((id) => ({
    userId: UserId.parse(id),
    nickname: `자리 ${id}`,
    profileImage: 'default.jpg',
    title: null,
    connection: 'here',
    clock: stillClock('idle', 0),
  }));

const nothing: TileSources = {
  selfId: UserId.parse(1),
  selfName: '나',
  camera: { kind: 'off' },
  media: { participants: [], state: { kind: 'connected' } },
  members: null,
  isLive: false,
  hidden: new Set(),
  blocked: new Set(),
};

/** The media room with these participants. */
const inMedia = (...participants: readonly Participant[]) => ({
  media: { participants, state: { kind: 'connected' } as const },
});
/** The media room out of reach, with the returned participants. */
const outage = (...participants: readonly Participant[]) => ({
  media: { participants, state: { kind: 'reconnecting' } as const },
});
const live = (...ids: number[]) => ({ members: members(...ids), isLive: true });

const build = (change: Partial<TileSources>, before: readonly Tile[] = []) =>
  tilesOf(before, { ...nothing, ...change });
const views = (tiles: readonly Tile[]) =>
  tiles.slice(1).map(({ userId, view }) => `${userId}: ${view}`);

test('the learner comes first, then the others in the order of joining, one tile each', () => {
  const tiles = build({ ...inMedia(participant(2), participant(3)), ...live(1, 2, 3) });
  expect(tiles.map(({ userId }) => userId)).toEqual([1, 2, 3]);
  expect(tiles.map(({ isSelf }) => isSelf)).toEqual([true, false, false]);
  expect(tiles[0]?.name).toBe('자리 1');
});

test('tiles that stay do not move when others come and go', () => {
  const before = build(live(1, 2, 3, 4));
  const after = build(live(1, 4, 5, 2), before);
  expect(after.map(({ userId }) => userId)).toEqual([1, 2, 4, 5]);
});

test.each(['starting', 'cameraOff', 'connectionLost', 'picture'] as const)(
  'a tile shows what the media room says: %s',
  (view) => {
    expect(build(inMedia(participant(2, { view })))[1]?.view).toBe(view);
  },
);

test('a hidden tile has no picture until it is shown again', () => {
  const room = inMedia(participant(2));
  expect(build({ ...room, hidden: new Set([UserId.parse(2)]) })[1]).toMatchObject({
    view: 'hidden',
    picture: null,
  });
  expect(build(room)[1]?.view).toBe('picture');
});

test('the own tile follows the camera', () => {
  const track = {} as MediaStreamTrack;
  const on = build({ camera: { kind: 'on', track, picture, isPaused: false, isShared: true } });
  expect(on[0]).toMatchObject({ name: '나', view: 'picture' });
  expect(
    build({ camera: { kind: 'on', track, picture, isPaused: false, isShared: true } }, on)[0],
  ).toBe(on[0]);
  expect(
    build({ camera: { kind: 'on', track, picture, isPaused: true, isShared: true } })[0]?.view,
  ).toBe('paused');
  expect(build({ camera: { kind: 'starting' } })[0]?.view).toBe('starting');
  expect(build({ camera: { kind: 'off' } })[0]?.view).toBe('cameraOff');
});

test('the clocks come from the room; a blocked learner has none', () => {
  const room = { ...live(1, 2, 3), blocked: new Set([UserId.parse(3)]) };
  const statuses = build(room).map(({ clock }) => clock?.status);
  expect(statuses).toEqual(['idle', 'idle', undefined]);
});

test('a tile that did not change stays the same object', () => {
  const before = build(inMedia(participant(2)));
  const after = build(inMedia(participant(2), participant(3)), before);
  expect(after[1]).toBe(before[1]);
});

describe('an outage of the media', () => {
  test('keeps everybody in their place, in whatever order they come back, with live seats or not', () => {
    const seats = { members: members(1, 2, 3, 4), isLive: false };
    const before = build({
      ...inMedia(participant(2), participant(3), participant(4)),
      ...seats,
    });
    const out = build({ ...outage(), ...seats }, before);
    expect(views(out)).toEqual(['2: connectionLost', '3: connectionLost', '4: connectionLost']);
    const half = build({ ...outage(participant(4)), ...seats }, out);
    expect(views(half)).toEqual(['2: connectionLost', '3: connectionLost', '4: picture']);
    expect(views(build({ ...inMedia(participant(4)), ...seats }, half))).toEqual(['4: picture']);
  });

  test('does not bring back a learner who was gone before it', () => {
    const lost = members(2).map((member) => ({ ...member, connection: 'lost' as const }));
    const frozen = participant(2, { view: 'connectionLost' });
    const before = build({ ...inMedia(frozen), members: lost, isLive: true });
    const offline = { members: lost, isLive: false };
    for (const room of [inMedia(frozen), outage(frozen), outage(), inMedia()]) {
      expect(views(build({ ...room, ...offline }, before))).toEqual([]);
    }
    const moving = inMedia(participant(2));
    expect(views(build({ ...moving, ...offline }, before))).toEqual(['2: picture']);
  });

  test('does not keep seats that were given up meanwhile', () => {
    const before = build({ ...inMedia(participant(2), participant(3)), ...live(1, 2, 3) });
    expect(views(build({ ...outage(), ...live(1, 2) }, before))).toEqual(['2: connectionLost']);
  });
});

describe('seats', () => {
  test('have a tile each, with the name of the seat and the picture of the media room', () => {
    const tiles = build({ ...inMedia(participant(3)), ...live(1, 2, 3) });
    expect(views(tiles)).toEqual(['2: connecting', '3: picture']);
    expect(tiles[2]?.name).toBe('자리 3');
  });

  test('without both connections have no tile until one is back', () => {
    const lost = members(2).map((member) => ({ ...member, connection: 'lost' as const }));
    const seats = { members: lost, isLive: true };
    expect(views(build(seats))).toEqual([]);
    const frozen = inMedia(participant(2, { view: 'connectionLost' }));
    expect(views(build({ ...frozen, ...seats }))).toEqual([]);
    // A moving picture is more current than the list of seats.
    expect(views(build({ ...inMedia(participant(2)), ...seats }))).toEqual(['2: picture']);
    expect(views(build(live(2)))).toEqual(['2: connecting']);
    // Nobody is removed while this tab cannot know.
    expect(views(build({ ...outage(), ...seats }, build(live(2))))).toEqual(['2: connectionLost']);
  });

  test('with a lost picture have lost their connection; the others have yet to connect', () => {
    const room = { ...inMedia(participant(2)), ...live(1, 2, 3) };
    const before = build(room);
    expect(views(before)).toEqual(['2: picture', '3: connecting']);
    const after = build(live(1, 2, 3), before);
    expect(views(after)).toEqual(['2: connectionLost', '3: connecting']);
    expect(views(build(live(1, 2, 3), after))).toEqual(['2: connectionLost', '3: connecting']);
    expect(views(build(room, after))).toEqual(['2: picture', '3: connecting']);
  });

  test('of a learner who comes back before their first picture are still about to connect', () => {
    const starting = participant(2, { view: 'starting', picture: null });
    const before = build({ ...inMedia(starting), ...live(1, 2) });
    expect(views(before)).toEqual(['2: starting']);
    expect(views(build(live(1, 2), before))).toEqual(['2: connecting']);
  });

  test('that are given up have no tile, even if the media room still shows them', () => {
    const room = inMedia(participant(2), participant(3));
    expect(views(build({ ...room, ...live(1, 2) }))).toEqual(['2: picture']);
  });

  test('that are not live follow the media room', () => {
    const stale = { members: members(1, 2, 3), isLive: false };
    const tiles = build({ ...inMedia(participant(3), participant(5)), ...stale });
    expect(views(tiles)).toEqual(['3: picture', '5: picture']);
    expect(tiles.map(({ name }) => name)).toEqual(['자리 1', '자리 3', '이름 5']);
  });

  test('of blocked learners show nothing of them, with or without a picture', () => {
    const blocked = new Set([UserId.parse(2), UserId.parse(3)]);
    const room = { ...inMedia(participant(2)), ...live(1, 2, 3), blocked };
    const tiles = build(room);
    expect(views(tiles)).toEqual(['2: blocked', '3: blocked']);
    expect(tiles.map((tile) => tile.picture)).toEqual([null, null, null]);
    expect(tiles.slice(1).map(({ name }) => name)).toEqual(['', '']);
    expect(tiles.map((tile) => tile.member?.userId)).toEqual([1, undefined, undefined]);
    expect(views(build({ ...room, ...outage() }, tiles))).toEqual(['2: blocked', '3: blocked']);
  });
});
