import { UserId } from '@mogakgong/contract';
import { ConnectionQuality, type Room, Track, VideoQuality } from 'livekit-client';
import { describe, expect, test, vi } from 'vitest';
import {
  arePicturesFlowing,
  chooseDownloads,
  participantsOf,
  RoomPictures,
  type ShownPictures,
} from './participants.ts';
import type { SavingReason } from './save-data.ts';

/** The used part of a participant, in the media library's shape. */
interface Remote {
  identity: string;
  joinedAt: Date;
  connectionQuality?: ConnectionQuality;
  camera?: { isMuted: boolean; videoTrack?: object } | undefined;
  getTrackPublication?: () => Remote['camera'];
}

const longAgo = new Date(0);
const track = { attach: () => {}, detach: () => {} };

function roomWith(...remotes: Remote[]): Room {
  const entries = remotes.map((remote) => [
    remote.identity,
    {
      name: `이름 ${remote.identity}`,
      connectionQuality: ConnectionQuality.Good,
      getTrackPublication: () => remote.camera,
      ...remote,
    },
  ]);
  return { remoteParticipants: new Map(entries as []) } as unknown as Room;
}

function remote(identity: string, more: Partial<Remote> = {}): Remote {
  return { identity, joinedAt: longAgo, camera: { isMuted: false, videoTrack: track }, ...more };
}

describe('a participant without a picture', () => {
  test.each([
    ['has a camera that is starting', { joinedAt: new Date(), camera: undefined }, 'starting'],
    ['has a picture on the way', { camera: { isMuted: false } }, 'starting'],
    ['has no camera', { camera: undefined }, 'cameraOff'],
    ['has a camera that the device holds back', { camera: { isMuted: true } }, 'paused'],
    ['has lost the connection', { connectionQuality: ConnectionQuality.Lost }, 'connectionLost'],
  ] as const)('%s', (_, more, view) => {
    expect(participantsOf(roomWith(remote('2', more)))[0]?.view).toBe(view);
  });
});

test('a learner who turns the camera off right after joining has none', () => {
  let camera: Remote['camera'] = { isMuted: false, videoTrack: track };
  const room = roomWith({
    ...remote('2', { joinedAt: new Date() }),
    getTrackPublication: () => camera,
  });
  expect(participantsOf(room)[0]?.view).toBe('picture');
  camera = undefined;
  expect(participantsOf(room)[0]?.view).toBe('cameraOff');
});

describe('a learner counts as without a camera, and is not downloaded again,', () => {
  /** A page with one other learner; `shown` has what it shows. */
  function show() {
    const videoTrack = { ...track, currentBitrate: 0 };
    const publication = {
      ...{ kind: Track.Kind.Video, videoTrack, isMuted: false, isDesired: true },
      setSubscribed: vi.fn(),
    };
    const room = Object.assign(
      roomWith({ ...remote('2'), getTrackPublication: () => publication }),
      {
        on: () => undefined,
        canPlaybackVideo: true,
        localParticipant: { getTrackPublication: () => undefined },
      },
    );
    for (const each of room.remoteParticipants.values()) {
      Object.assign(each, { trackPublications: new Map([['1', publication]]) });
    }
    const shown: ShownPictures[] = [];
    new RoomPictures((each) => shown.push(each)).switchRoom(room as Room);
    const isRefused = () =>
      shown.at(-1)?.participants[0]?.view === 'cameraOff' &&
      publication.setSubscribed.mock.lastCall?.[0] === false;
    return { videoTrack, picture: shown.at(-1)?.participants[0]?.picture, isRefused };
  }

  test('whose pictures are larger than allowed', () => {
    const { picture, isRefused } = show();
    const element = document.createElement('video');
    picture?.attach(element);
    expect(isRefused()).toBe(false);
    Object.defineProperties(element, { videoWidth: { value: 4_000 }, videoHeight: { value: 400 } });
    element.dispatchEvent(new Event('resize'));
    expect(isRefused()).toBe(true);
  });

  test('whose pictures are more bits than allowed, at two looks', () => {
    vi.useFakeTimers();
    const { videoTrack, isRefused } = show();
    videoTrack.currentBitrate = 20_000_000;
    vi.advanceTimersByTime(4_000);
    videoTrack.currentBitrate = 500_000;
    vi.advanceTimersByTime(4_000);
    videoTrack.currentBitrate = 3_000_000;
    vi.advanceTimersByTime(4_000);
    expect(isRefused()).toBe(false);
    vi.advanceTimersByTime(4_000);
    expect(isRefused()).toBe(true);
  });
});

test('participants stand in the order of joining', () => {
  const late = remote('2', { joinedAt: new Date(2), camera: { isMuted: true } });
  expect(
    participantsOf(roomWith(late, remote('3'))).map(({ userId, view }) => `${userId} ${view}`),
  ).toEqual(['3 picture', '2 paused']);
});

test('automatic saving makes all pictures but the enlarged one small; chosen saving makes all small, with fewer frames', () => {
  const publication = {
    kind: Track.Kind.Video,
    isDesired: true,
    setSubscribed: vi.fn(),
    setVideoQuality: vi.fn(),
    setVideoFPS: vi.fn(),
  };
  const trackPublications = new Map([['1', publication]]);
  const remoteParticipants = new Map([['2', { identity: '2-1', trackPublications }]]);
  const room = { remoteParticipants } as unknown as Room;
  const asked = () => [
    publication.setVideoQuality.mock.lastCall?.[0],
    publication.setVideoFPS.mock.lastCall?.[0],
  ];
  const choose = (saving: SavingReason | null, enlarged: UserId | null = null) =>
    chooseDownloads(room, { unwanted: new Set(), enlarged, saving });
  choose(null);
  expect(publication.setVideoQuality).not.toHaveBeenCalled();
  choose('cpu');
  expect(asked()).toEqual([VideoQuality.LOW, 30]);
  choose('cpu', UserId.parse(2));
  expect(asked()).toEqual([VideoQuality.HIGH, 30]);
  choose('cpu', UserId.parse(3));
  expect(asked()).toEqual([VideoQuality.LOW, 30]);
  choose('choice', UserId.parse(2));
  expect(asked()).toEqual([VideoQuality.LOW, 4]);
  choose(null);
  expect(asked()).toEqual([VideoQuality.HIGH, 30]);
});

describe('pictures flow', () => {
  const up = { state: 'connected', iceTransport: { state: 'connected' } };
  const camera = (track: object) => ({ getTrackPublication: () => ({ track, videoTrack: track }) });
  const none = { getTrackPublication: () => undefined };
  const roomOf = (own: object, ...others: object[]) =>
    ({
      localParticipant: own,
      remoteParticipants: new Map(others.map((other, index) => [String(index), other])),
    }) as unknown as Room;
  const sent = (transport: object) => camera({ sender: { transport } });
  const received = (transport: object) => camera({ receiver: { transport } });

  test.each([
    ['where both directions are up', [sent(up), received(up)], true],
    ['where the own camera is off', [none, received(up)], true],
    ['where one direction is still being set up', [sent(up), received({ state: 'new' })], true],
    ['not where there are none', [none, none], false],
    ['not where one direction is closed', [sent({ ...up, state: 'closed' }), received(up)], false],
    [
      'not where the path is lost',
      [sent(up), received({ ...up, iceTransport: { state: 'disconnected' } })],
      false,
    ],
  ] as const)('%s', (_, [own, ...others], expected) => {
    expect(arePicturesFlowing(roomOf(own, ...others))).toBe(expected);
  });
});
