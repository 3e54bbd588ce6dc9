import { JoinResponse, SessionDescription, SignalResponse } from '@livekit/protocol';
import { expect, test, vi } from 'vitest';
import { isOfPath, type MediaPath, onlyPath, TestSignalling, tryPath } from './connection-path.ts';

const UDP = 'candidate:1 1 udp 2130706431 192.0.2.1 7882 typ host';
const TCP = 'candidate:2 1 tcp 1671430143 192.0.2.1 7881 typ host tcptype passive';

const TURN = { urls: ['turn:192.0.2.9:3478'], username: 'u', credential: 'c' };

/** Signalling to a media server that offers a TURN server, and a function that makes it send a message. */
async function openSignalling() {
  const say = (message: SignalResponse['message']) =>
    socket.onmessage?.({ data: new SignalResponse({ message }).toBinary() });
  const socket = {
    onmessage: undefined as ((event: { data: Uint8Array }) => void) | undefined,
    send: vi.fn(),
    close: vi.fn(),
  };
  vi.stubGlobal('WebSocket', function open() {
    return socket;
  });
  const opening = TestSignalling.open('wss://media.example', 't');
  say({ case: 'join', value: new JoinResponse({ iceServers: [TURN] }) });
  return { signalling: await opening, say };
}

/** The browser's WebRTC as far as a path needs it. */
function stubConnections(setRemoteDescription: () => Promise<void>) {
  const connection = {
    ...{ addTransceiver: vi.fn(), setRemoteDescription, close: vi.fn() },
    connectionState: 'new',
    remoteDescription: null as { sdp: string } | null,
    onconnectionstatechange: () => undefined,
  };
  const create = vi.fn(function open(_: RTCConfiguration) {
    return connection;
  });
  vi.stubGlobal('RTCPeerConnection', create);
  const track = { id: 'drawn', stop: vi.fn() };
  Object.assign(HTMLCanvasElement.prototype, {
    captureStream: () => ({ getVideoTracks: () => [track] }),
  });
  return { connection, create };
}

const refuse = () => Promise.reject(new Error('no VP8'));

test.each([
  ['udp', [UDP]],
  ['tcp', [TCP]],
  ['turn', [UDP]],
] as const)('the path %s has its own candidates alone', (path, kept) => {
  expect([UDP, TCP].filter((candidate) => isOfPath(candidate, path))).toEqual(kept);
  const sdp = ['v=0', `a=${UDP}`, `a=${TCP}`, 'a=end-of-candidates', ''].join('\r\n');
  const left = ['v=0', ...kept.map((candidate) => `a=${candidate}`), 'a=end-of-candidates', ''];
  expect(onlyPath(sdp, path)).toBe(left.join('\r\n'));
});

test('an unanswered media server times out after 15 s (specification §7)', async () => {
  vi.useFakeTimers();
  const close = vi.fn();
  vi.stubGlobal(
    'WebSocket',
    class {
      close = close;
    },
  );
  const given = vi.fn();
  const opening = TestSignalling.open('wss://media.example', 't').catch(given);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(given).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await opening;
  expect(given).toHaveBeenCalledOnce();
  expect(close).toHaveBeenCalledOnce();
});

test.each<[MediaPath, RTCConfiguration]>([
  ['udp', { iceServers: [], iceTransportPolicy: 'all' }],
  ['tcp', { iceServers: [], iceTransportPolicy: 'all' }],
  ['turn', { iceServers: [TURN], iceTransportPolicy: 'relay' }],
])('the path %s can go no other way', async (path, configuration) => {
  const { signalling, say } = await openSignalling();
  const { create } = stubConnections(refuse);
  const trying = tryPath(signalling, path, 0, vi.fn());
  say({ case: 'answer', value: new SessionDescription({ type: 'answer', sdp: '' }) });
  await expect(trying).rejects.toThrow('no VP8');
  expect(create).toHaveBeenCalledExactlyOnceWith(configuration);
});

test('an answer that the browser rejects ends the path at once, with its reason', async () => {
  vi.useFakeTimers();
  const { signalling, say } = await openSignalling();
  stubConnections(refuse);
  const trying = tryPath(signalling, 'udp', 0, vi.fn());
  say({ case: 'answer', value: new SessionDescription({ type: 'answer', sdp: '' }) });
  await expect(trying).rejects.toThrow('no VP8');
});

test('a failed path reports the addresses that were tried', async () => {
  const { signalling, say } = await openSignalling();
  const { connection } = stubConnections(async () => {
    connection.remoteDescription = { sdp: ['v=0', `a=${UDP}`, 'a=end-of-candidates'].join('\r\n') };
    connection.connectionState = 'failed';
    connection.onconnectionstatechange();
  });
  const onServer = vi.fn();
  const trying = tryPath(signalling, 'udp', 0, onServer);
  say({ case: 'answer', value: new SessionDescription({ type: 'answer', sdp: '' }) });
  await expect(trying).rejects.toThrow('no path stands');
  expect(onServer).toHaveBeenCalledExactlyOnceWith(['192.0.2.1']);
});
