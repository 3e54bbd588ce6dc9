import { errors, REQUEST_TIMEOUT_MS, TOKEN_SUB_PROTOCOL } from '@mogakgong/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeStompServer } from '../../../testing/fake-stomp-server.ts';
import { storeAccessToken } from '../api/index.ts';
import { RealtimeConnection, type RealtimeOptions } from './realtime-connection.ts';

/** Answers the calls for a newer token. */
const refresh = vi.fn<() => Promise<Response>>();
const newToken = () => Response.json({ token: 'token-2' });
const onNotice = vi.fn();
/** Longer than any test waits. */
const NEVER = { first: 60_000, longest: 60_000 };

let server: FakeStompServer;
let connection: RealtimeConnection;

beforeEach(() => {
  vi.resetAllMocks();
  storeAccessToken('token-1');
  vi.stubGlobal('fetch', refresh);
  server = new FakeStompServer();
  connection = create({ first: 5, longest: 5 });
});
afterEach(() => {
  connection.close();
  server.restore();
});

function create(reconnectDelaysMs: RealtimeOptions['reconnectDelaysMs']): RealtimeConnection {
  const waits = reconnectDelaysMs && { reconnectDelaysMs };
  return new RealtimeConnection({ onNotice, ...waits });
}

const state = () => connection.store.getState().state;
const isConnected = () => vi.waitFor(() => expect(state()).toBe('connected'));

describe('the token', () => {
  test('goes into a sub-protocol of the upgrade and the CONNECT frame, and nowhere else', async () => {
    connection.start();
    await isConnected();
    expect(server.urls).toEqual([`ws://${window.location.host}/ws/websocket`]);
    expect(server.subProtocols).toEqual([
      ['v12.stomp', 'v11.stomp', 'v10.stomp', `${TOKEN_SUB_PROTOCOL}token-1`],
    ]);
    expect(server.frames[0]).toMatchObject({
      command: 'CONNECT',
      headers: { Authorization: 'Bearer token-1', 'heart-beat': '4000,4000' },
    });
  });

  test('is replaced once and at once where the server refuses it', async () => {
    server.refuseToken('token-1', 'unauthorized');
    refresh.mockResolvedValue(newToken());
    connection = create(NEVER);
    connection.start();
    await isConnected();
    expect(refresh).toHaveBeenCalledOnce();
    expect(server.connectedWith).toEqual(['token-2']);
  });

  test('is not replaced over and over where the new one is refused too', async () => {
    server.refuseToken('token-1', 'sessionEnded');
    server.refuseToken('token-2', 'sessionEnded');
    refresh.mockResolvedValue(newToken());
    connection = create(NEVER);
    connection.start();
    await vi.waitFor(() => expect(state()).toBe('disconnected'));
    expect(server.urls).toHaveLength(2);
    expect(server.connectedWith).toEqual([]);
  });

  test('that expires is replaced at once; destinations added meanwhile are subscribed', async () => {
    const onMessage = vi.fn();
    connection = create(NEVER);
    const renewed = connection.listen({ destination: '/topic/presence', onMessage: vi.fn() });
    connection.start();
    await isConnected();
    const replacing = Promise.withResolvers<Response>();
    refresh.mockReturnValue(replacing.promise);
    server.expireToken();
    await vi.waitFor(() => expect(refresh).toHaveBeenCalledOnce());
    expect(state()).toBe('connecting');
    connection.listen({ destination: '/topic/messages', onMessage });
    renewed.renew();
    replacing.resolve(newToken());
    await isConnected();
    expect(server.connectedWith).toEqual(['token-1', 'token-2']);
    expect(server.subscriptionsTo('/topic/messages')).toHaveLength(1);
    expect(server.subscriptionsTo('/topic/presence')).toHaveLength(1);
  });

  test('is awaited while nobody is logged in', async () => {
    storeAccessToken(null);
    connection.start();
    await vi.waitFor(() => expect(state()).toBe('disconnected'));
    storeAccessToken('token-1');
    await isConnected();
    expect(server.connectedWith).toEqual(['token-1']);
  });

  test('that cannot be replaced while the API is unreachable is requested again', async () => {
    server.refuseToken('token-1', 'unauthorized');
    refresh.mockRejectedValueOnce(new TypeError('no network')).mockResolvedValue(newToken());
    connection.start();
    await isConnected();
    expect(server.connectedWith).toEqual(['token-2']);
  });
});

describe('a connection that ends', () => {
  test('comes back with the same subscriptions, and asks for their headers again', async () => {
    const headers = vi.fn(() => ({ 'last-id': String(headers.mock.calls.length) }));
    connection.listen({ destination: '/topic/messages', headers, onMessage: vi.fn() });
    connection.start();
    await isConnected();
    server.cut();
    await vi.waitFor(() => expect(server.connectedWith).toHaveLength(2));
    const subscribes = server.framesOf('SUBSCRIBE').filter((frame) => 'last-id' in frame.headers);
    expect(subscribes.map((frame) => frame.headers['last-id'])).toEqual(['1', '2']);
  });

  test('is tried again after 5 s, then later and later, at most 30 s (specification §9)', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    connection = create(undefined);
    server.isDown = true;
    connection.start();
    await vi.advanceTimersByTimeAsync(0);
    for (const [index, seconds] of [5, 10, 20, 30, 30].entries()) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
      expect(server.urls).toHaveLength(index + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(server.urls).toHaveLength(index + 2);
    }
  });

  test.each([
    [0, 2_500],
    [0.999, 7_495],
  ])('spreads the waits of a room: by chance %d after %d ms', async (chance, ms) => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(chance);
    connection = create(undefined);
    connection.start();
    await vi.advanceTimersByTimeAsync(0);
    server.cut();
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(state()).toBe('disconnected');
    await vi.advanceTimersByTimeAsync(1);
    expect(state()).toBe('connected');
  });

  test('is tried at once when the network is back', async () => {
    connection = create(NEVER);
    server.isDown = true;
    connection.start();
    await vi.waitFor(() => expect(state()).toBe('disconnected'));
    server.isDown = false;
    window.dispatchEvent(new Event('online'));
    await isConnected();
    window.dispatchEvent(new Event('online'));
    expect(server.connectedWith).toEqual(['token-1']);
  });

  test('counts as lost when the network is', async () => {
    connection = create(NEVER);
    connection.start();
    await isConnected();
    window.dispatchEvent(new Event('offline'));
    expect(state()).toBe('disconnected');
    window.dispatchEvent(new Event('online'));
    await isConnected();
    expect(server.connectedWith).toHaveLength(2);
  });

  test('that ended during sleep is replaced when the tab wakes up; a live one is kept', async () => {
    connection = create(NEVER);
    connection.start();
    await isConnected();
    document.dispatchEvent(new Event('resume'));
    expect(server.connectedWith).toHaveLength(1);
    const nowMs = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => nowMs + 60_000);
    document.dispatchEvent(new Event('resume'));
    await vi.waitFor(() => expect(server.connectedWith).toHaveLength(2));
    await isConnected();
  });

  test('rejects unconfirmed sends as lost', async () => {
    connection.start();
    await isConnected();
    server.isSilent = true;
    const send = connection.send('/pub/chat', {}, {});
    server.cut();
    await expect(send).rejects.toMatchObject({ reason: 'lost' });
  });

  test('permanently does not come back', async () => {
    vi.useFakeTimers();
    connection.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(state()).toBe('connected');
    connection.close();
    expect(state()).toBe('disconnected');
    await expect(connection.send('/pub/chat', {}, {})).rejects.toMatchObject({ reason: 'lost' });
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.urls).toHaveLength(1);
  });
});

describe('a send', () => {
  test('resolves when the server confirms it', async () => {
    connection.start();
    await isConnected();
    server.confirmAs('7-1-3');
    const receipt = await connection.send('/pub/chat', { content: '안녕' }, { 'client-id': 'c1' });
    expect(receipt['message-id']).toBe('7-1-3');
    const [frame] = server.framesOf('SEND');
    expect(frame?.headers).toMatchObject({ destination: '/pub/chat', 'client-id': 'c1' });
    expect(JSON.parse(frame?.body ?? '')).toEqual({ content: '안녕' });
  });

  test('that is refused has a reason, and the connection stays', async () => {
    connection.start();
    await isConnected();
    server.refuseSends('chatTooLong');
    await expect(connection.send('/pub/chat', {}, {})).rejects.toMatchObject({
      reason: 'refused',
      errorName: 'chatTooLong',
      message: errors.chatTooLong.ko,
    });
    expect(state()).toBe('connected');
  });
});

test.each(['unavailable', 'internal'] as const)(
  'a send that is answered %s is neither refused nor lost, and the connection stays',
  async (row) => {
    connection.start();
    await isConnected();
    server.refuseSends(row, 7);
    await expect(connection.send('/pub/chat', {}, {})).rejects.toMatchObject({
      reason: 'unavailable',
      errorName: row,
      retryAfterMs: 7_000,
    });
    expect(server.connectedWith).toHaveLength(1);
  },
);

test('an unanswered send on a live connection rejects like one that fails on the server', async () => {
  vi.useFakeTimers();
  connection.start();
  await vi.advanceTimersByTimeAsync(0);
  server.isSilent = true;
  const outcome = connection.send('/pub/chat', {}, {}).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(REQUEST_TIMEOUT_MS);
  expect(await outcome).toMatchObject({ reason: 'unavailable', errorName: 'unavailable' });
  expect(state()).toBe('connected');
});

test('a CONNECT that fails on the server is repeated with the same token', async () => {
  server.refuseToken('token-1', 'unavailable');
  connection.start();
  await vi.waitFor(() => expect(server.urls.length).toBeGreaterThan(2));
  expect(connection.store.getState().refusal).toBe(errors.unavailable.ko);
  server.allowToken('token-1');
  await isConnected();
  expect(refresh).not.toHaveBeenCalled();
});

test('a subscription that fails on the server is repeated when the server says so', async () => {
  vi.useFakeTimers();
  connection = create(NEVER);
  connection.start();
  await vi.advanceTimersByTimeAsync(0);
  server.refuseSends('unavailable', 2);
  connection.listen({ destination: '/topic/messages', onMessage: vi.fn() });
  await vi.advanceTimersByTimeAsync(1_999);
  server.refuseSends(null);
  expect(server.subscriptionsTo('/topic/messages')).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(server.subscriptionsTo('/topic/messages')).toHaveLength(1);
  expect(server.connectedWith).toHaveLength(1);
});

test('a send that fails on the server is lost, not refused, and the connection comes back', async () => {
  connection.start();
  await isConnected();
  server.failSends(1);
  await expect(connection.send('/pub/chat', {}, {})).rejects.toMatchObject({ reason: 'lost' });
  await vi.waitFor(() => expect(server.connectedWith).toHaveLength(2));
  expect(connection.store.getState().refusal).toBeNull();
});

test('a send on a socket that broke unnoticed is lost', async () => {
  connection.start();
  await isConnected();
  server.breakWrites();
  await expect(connection.send('/pub/chat', {}, {})).rejects.toMatchObject({ reason: 'lost' });
});

test('a hidden tab connects even where the browser refuses a worker for its heart-beats', async () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  vi.stubGlobal('Worker', function refuse() {
    throw new DOMException('no workers here', 'SecurityError');
  });
  const onMessage = vi.fn();
  connection.listen({ destination: '/topic/messages', onMessage });
  connection.start();
  await isConnected();
  server.deliver('/topic/messages', { number: 1 });
  expect(onMessage).toHaveBeenCalledOnce();
});

test('a subscription that the server refuses for now is repeated later', async () => {
  connection.start();
  await isConnected();
  server.refuseSends('tooManyRequests');
  const onMessage = vi.fn();
  connection.listen({ destination: '/topic/messages', onMessage });
  const tries = () =>
    server.framesOf('SUBSCRIBE').filter(({ headers }) => headers.destination === '/topic/messages');
  await vi.waitFor(() => expect(tries().length).toBeGreaterThan(2));
  expect(state()).toBe('connected');
  server.refuseSends(null);
  await vi.waitFor(() => expect(server.subscriptionsTo('/topic/messages')).toHaveLength(1));
  server.deliver('/topic/messages', { number: 1 });
  expect(onMessage).toHaveBeenCalledOnce();
});

test('a closed or renewed subscription receives nothing of its old one', async () => {
  const onMessage = vi.fn();
  const open = connection.listen({ destination: '/topic/messages', onMessage });
  connection.start();
  await isConnected();
  server.deliver('/topic/messages', { number: 1 });
  expect(onMessage).toHaveBeenCalledWith({ number: 1 }, expect.anything());
  const old = server.subscriptionsTo('/topic/messages');
  open.renew();
  server.deliverTo(old, { number: 2 });
  expect(onMessage).toHaveBeenCalledOnce();
  server.deliver('/topic/messages', { number: 3 });
  expect(onMessage).toHaveBeenCalledTimes(2);
  open.close();
  server.deliver('/topic/messages', { number: 4 });
  expect(onMessage).toHaveBeenCalledTimes(2);
});

test('notices are passed on; those about delivery change the state', async () => {
  connection.start();
  await isConnected();
  server.deliver('/user/queue/notices', { kind: 'delivery', state: 'degraded' });
  expect(connection.store.getState().isDegraded).toBe(true);
  server.deliver('/user/queue/notices', { kind: 'blocks', blockedIds: [3] });
  expect(onNotice.mock.calls).toEqual([[{ kind: 'blocks', blockedIds: [3] }]]);
});

test('notices may have been missed at each connection, and when an outage behind the server is over', async () => {
  vi.useFakeTimers();
  const gaps = () => connection.store.getState().gaps;
  connection.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(gaps()).toBe(1);
  server.cut();
  await vi.advanceTimersByTimeAsync(10);
  expect(gaps()).toBe(2);
  server.deliver('/user/queue/notices', { kind: 'delivery', state: 'degraded' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(gaps()).toBe(2);
  // Several processes may report it; messages missed meanwhile are read together.
  for (let times = 0; times < 3; times += 1) {
    server.deliver('/user/queue/notices', { kind: 'delivery', state: 'whole' });
  }
  expect(gaps()).toBe(2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(gaps()).toBe(3);
});

test('a refused tab knows the server’s reason', async () => {
  connection = create(NEVER);
  server.refuseToken('token-1', 'tooManyConnections');
  connection.start();
  await vi.waitFor(() => expect(state()).toBe('disconnected'));
  expect(connection.store.getState().refusal).toBe(errors.tooManyConnections.ko);
});
