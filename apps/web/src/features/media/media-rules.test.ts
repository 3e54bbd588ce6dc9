import { DisconnectReason } from 'livekit-client';
import { describe, expect, test, vi } from 'vitest';
import { cameraProblem } from './camera-problem.ts';
import { disconnectKind } from './media-connection.ts';
import { signallingAddress } from './room-media.ts';
import { connectOptions, reconnectPolicy, roomOptions } from './room-options.ts';
import { retryDelayMs } from './room-state.ts';

describe('the signalling address', () => {
  test.each([
    ['/livekit', 'https://study.example/studyroom/1', 'wss://study.example/livekit'],
    ['/livekit/', 'http://localhost:3000/', 'ws://localhost:3000/livekit'],
    ['wss://media.example', 'https://study.example/', 'wss://media.example'],
    ['https://media.example', 'https://study.example/', 'wss://media.example'],
    ['', 'https://study.example/', null],
    ['ftp://media.example', 'https://study.example/', null],
  ])('of "%s" on %s is %s', (serverUrl, page, address) => {
    expect(signallingAddress(serverUrl, page)).toBe(address);
  });
});

describe('the camera’s problem', () => {
  test.each([
    ['NotAllowedError', 'Permission denied', 'denied'],
    ['NotAllowedError', 'Permission dismissed', 'dismissed'],
    ['NotAllowedError', 'Permission denied by system', 'blockedBySystem'],
    ['NotReadableError', 'Could not start video source', 'inUse'],
    ['NotFoundError', 'Requested device not found', 'missing'],
    ['WeirdError', '', 'unknown'],
  ])('%s (%s) is %s', async (name, message, problem) => {
    expect(await cameraProblem(Object.assign(new Error(message), { name }))).toBe(problem);
  });

  test.each([
    ['a question that can be asked again', 'NotAllowedError', 'prompt', 0, 'dismissed'],
    ['a refusal that stays', 'NotAllowedError', 'denied', 0, 'denied'],
    [
      'a camera that is listed and cannot be found',
      'NotFoundError',
      'granted',
      1,
      'blockedBySystem',
    ],
    ['no camera at all', 'NotFoundError', 'granted', 0, 'missing'],
  ])('in Firefox and Safari: %s', async (_what, name, state, count, problem) => {
    const cameras = Array.from({ length: count }, () => ({ kind: 'videoinput' }));
    vi.stubGlobal('navigator', {
      permissions: { query: async () => ({ state }) },
      mediaDevices: { enumerateDevices: async () => [{ kind: 'audioinput' }, ...cameras] },
    });
    expect(await cameraProblem(Object.assign(new Error('No.'), { name }))).toBe(problem);
  });
});

describe('the end of a connection', () => {
  test.each([
    [DisconnectReason.DUPLICATE_IDENTITY, 'replaced'],
    [DisconnectReason.PARTICIPANT_REMOVED, 'removed'],
    [DisconnectReason.SERVER_SHUTDOWN, 'lost'],
    [DisconnectReason.ROOM_DELETED, 'lost'],
    [DisconnectReason.STATE_MISMATCH, 'lost'],
    [DisconnectReason.JOIN_FAILURE, 'lost'],
    [DisconnectReason.CONNECTION_TIMEOUT, 'lost'],
    [DisconnectReason.MEDIA_FAILURE, 'lost'],
    // The media library disconnects a frozen tab by itself.
    [DisconnectReason.CLIENT_INITIATED, 'asleep'],
    [undefined, 'lost'],
    [999 as DisconnectReason, 'lost'],
  ])('for reason %s means %s', (reason, kind) => {
    expect(disconnectKind(reason)).toBe(kind);
  });
});

test('reconnects are spread out, at most 15 s apart', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  expect([0, 1].map(retryDelayMs)).toEqual([0, 1_000]);
  random.mockReturnValue(1);
  expect([0, 1, 99].map(retryDelayMs)).toEqual([3_000, 2_000, 15_000]);
  const first = () => reconnectPolicy.nextRetryDelayInMs({ retryCount: 0, elapsedMs: 0 });
  random.mockReturnValueOnce(0.1).mockReturnValueOnce(0.9);
  expect([first(), first()]).toEqual([300, 2_700]);
  expect(reconnectPolicy.nextRetryDelayInMs({ retryCount: 10, elapsedMs: 60_000 })).toBeNull();
});

test('the delays and time limits of the media service stay as they are (specification §9)', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const delays = Array.from({ length: 10 }, (_, index) =>
    reconnectPolicy.nextRetryDelayInMs({ retryCount: index + 1, elapsedMs: 0 }),
  );
  expect(delays).toEqual([300, 1_200, 2_700, 4_800, 7_000, 7_000, 7_000, 7_000, 7_000, null]);
  expect(connectOptions).not.toHaveProperty('peerConnectionTimeout');
  expect(connectOptions).not.toHaveProperty('websocketTimeout');
});

test('cameras are sent by vp8 in two sizes', () => {
  const { publishDefaults } = roomOptions;
  expect(publishDefaults).toMatchObject({ videoCodec: 'vp8', simulcast: true });
  expect(publishDefaults?.videoSimulcastLayers).toMatchObject([{ width: 320, height: 180 }]);
});
