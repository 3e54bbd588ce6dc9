import { errors } from '@mogakgong/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeStompServer } from '../../../testing/fake-stomp-server.ts';
import { RealtimeConnection, type RealtimeOptions } from './realtime-connection.ts';

const URL = 'ws://localhost/ws/websocket';
const readToken = vi.fn<RealtimeOptions['readToken']>();
const replaceToken = vi.fn<RealtimeOptions['replaceToken']>();
const onNotice = vi.fn();
const delayMs = vi.fn<(attempt: number) => number>();

let server: FakeStompServer;
let connection: RealtimeConnection;

beforeEach(() => {
  vi.resetAllMocks();
  readToken.mockReturnValue('token-1');
  delayMs.mockReturnValue(5);
  server = new FakeStompServer();
  connection = new RealtimeConnection({ url: URL, readToken, replaceToken, onNotice, delayMs });
});
afterEach(() => {
  connection.close();
  server.restore();
});

const state = () => connection.getSnapshot().state;
const isConnected = () => vi.waitFor(() => expect(state()).toBe('connected'));

describe('the token', () => {
  test('goes into the CONNECT frame, and nowhere else', async () => {
    connection.start();
    await isConnected();
    expect(server.urls).toEqual([URL]);
    expect(server.frames[0]).toMatchObject({
      command: 'CONNECT',
      headers: { Authorization: 'Bearer token-1', 'heart-beat': '4000,4000' },
    });
  });

  test('is replaced once and at once where the server refuses it', async () => {
    server.refuseToken('token-1', 'unauthorized');
    replaceToken.mockResolvedValue('token-2');
    delayMs.mockReturnValue(60_000);
    connection.start();
    await isConnected();
    expect(replaceToken.mock.calls).toEqual([['token-1']]);
    expect(server.connectedWith).toEqual(['token-2']);
  });

  test('is not replaced over and over where the new one is refused too', async () => {
    server.refuseToken('token-1', 'sessionEnded');
    server.refuseToken('token-2', 'sessionEnded');
    replaceToken.mockResolvedValue('token-2');
    delayMs.mockReturnValue(60_000);
    connection.start();
    await vi.waitFor(() => expect(state()).toBe('disconnected'));
    expect(delayMs).toHaveBeenCalledOnce();
    expect(server.connectedWith).toEqual([]);
  });

  test('that expires is replaced at once; what is listened to meanwhile is subscribed', async () => {
    const onMessage = vi.fn();
    const renewed = connection.listen({ destination: '/topic/presence', onMessage: vi.fn() });
    connection.start();
    await isConnected();
    const replacing = Promise.withResolvers<string>();
    replaceToken.mockReturnValue(replacing.promise);
    delayMs.mockReturnValue(60_000);
    server.expireToken();
    await vi.waitFor(() => expect(replaceToken).toHaveBeenCalledWith('token-1'));
    expect(state()).toBe('connecting');
    connection.listen({ destination: '/topic/messages', onMessage });
    renewed.renew();
    replacing.resolve('token-2');
    await isConnected();
    expect(server.connectedWith).toEqual(['token-1', 'token-2']);
    expect(server.subscriptionsTo('/topic/messages')).toHaveLength(1);
    expect(server.subscriptionsTo('/topic/presence')).toHaveLength(1);
  });

  test('is waited for while nobody is logged in', async () => {
    readToken.mockReturnValueOnce(null);
    connection.start();
    await isConnected();
    expect(delayMs).toHaveBeenCalledWith(0);
  });
});

describe('a connection that ends', () => {
  test('comes back with the same subscriptions, and asks for their headers anew', async () => {
    const headers = vi.fn(() => ({ 'last-id': String(headers.mock.calls.length) }));
    connection.listen({ destination: '/topic/messages', headers, onMessage: vi.fn() });
    connection.start();
    await isConnected();
    server.cut();
    await vi.waitFor(() => expect(server.connectedWith).toHaveLength(2));
    const subscribes = server.framesOf('SUBSCRIBE').filter((frame) => 'last-id' in frame.headers);
    expect(subscribes.map((frame) => frame.headers['last-id'])).toEqual(['1', '2']);
  });

  test('is tried again later and later, and at once when the network is back', async () => {
    delayMs.mockReturnValueOnce(5).mockReturnValueOnce(5).mockReturnValue(60_000);
    server.isDown = true;
    connection.start();
    await vi.waitFor(() => expect(delayMs.mock.calls).toEqual([[0], [1], [2]]));
    server.isDown = false;
    window.dispatchEvent(new Event('online'));
    await isConnected();
  });

  test('gives back what was not confirmed as lost', async () => {
    connection.start();
    await isConnected();
    server.isSilent = true;
    const send = connection.send('/pub/chat', {}, {});
    server.cut();
    await expect(send).rejects.toMatchObject({ reason: 'lost' });
  });

  test('for good does not come back', async () => {
    connection.start();
    await isConnected();
    connection.close();
    expect(state()).toBe('disconnected');
    await expect(connection.send('/pub/chat', {}, {})).rejects.toMatchObject({ reason: 'lost' });
    expect(delayMs).not.toHaveBeenCalled();
  });
});

describe('a send', () => {
  test('is done when the server confirms it', async () => {
    connection.start();
    await isConnected();
    server.confirmAs('7-1-3');
    const receipt = await connection.send('/pub/chat', { content: '안녕' }, { 'client-id': 'c1' });
    expect(receipt['message-id']).toBe('7-1-3');
    const [frame] = server.framesOf('SEND');
    expect(frame?.headers).toMatchObject({ destination: '/pub/chat', 'client-id': 'c1' });
    expect(JSON.parse(frame?.body ?? '')).toEqual({ content: '안녕' });
  });

  test('that is refused says why, and the connection stays', async () => {
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

test('a send at which the server fails is lost, not refused, and the connection comes back', async () => {
  connection.start();
  await isConnected();
  server.failSends(1);
  await expect(connection.send('/pub/chat', {}, {})).rejects.toMatchObject({ reason: 'lost' });
  await vi.waitFor(() => expect(server.connectedWith).toHaveLength(2));
  expect(connection.getSnapshot().refusal).toBeNull();
});

test('a send on a socket that broke unnoticed is lost', async () => {
  connection.start();
  await isConnected();
  server.breakWrites();
  await expect(connection.send('/pub/chat', {}, {})).rejects.toMatchObject({ reason: 'lost' });
});

test('a hidden tab connects even where the browser makes no worker for its heart-beats', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  vi.stubGlobal('Worker', function refuse() {
    throw new DOMException('no workers here', 'SecurityError');
  });
  const onMessage = vi.fn();
  connection.listen({ destination: '/topic/messages', onMessage });
  connection.start();
  await isConnected();
  server.deliver('/topic/messages', { number: 1 });
  expect(onMessage).toHaveBeenCalledOnce();
  visibility.mockRestore();
  vi.unstubAllGlobals();
});

test('a listening that the server refuses for now is made again later', async () => {
  delayMs.mockReturnValue(5);
  connection.start();
  await isConnected();
  server.refuseSends('tooManyRequests');
  const onMessage = vi.fn();
  connection.listen({ destination: '/topic/messages', onMessage });
  await vi.waitFor(() => expect(delayMs).toHaveBeenCalledWith(1));
  expect(state()).toBe('connected');
  server.refuseSends(null);
  await vi.waitFor(() => expect(server.subscriptionsTo('/topic/messages')).toHaveLength(1));
  server.deliver('/topic/messages', { number: 1 });
  expect(onMessage).toHaveBeenCalledOnce();
});

test('a closed or renewed listening hears nothing of its old subscription', async () => {
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

test('notices are handed on; those about delivery change the state', async () => {
  connection.start();
  await isConnected();
  server.deliver('/user/queue/notices', { kind: 'delivery', state: 'degraded' });
  expect(connection.getSnapshot().isDegraded).toBe(true);
  server.deliver('/user/queue/notices', { kind: 'blocks', blockedIds: [3] });
  expect(onNotice.mock.calls).toEqual([[{ kind: 'blocks', blockedIds: [3] }]]);
});

test('a refused tab knows the server’s reason', async () => {
  server.refuseToken('token-1', 'tooManyConnections');
  delayMs.mockReturnValue(60_000);
  connection.start();
  await vi.waitFor(() => expect(state()).toBe('disconnected'));
  expect(connection.getSnapshot().refusal).toBe(errors.tooManyConnections.ko);
});
