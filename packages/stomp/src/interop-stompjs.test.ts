import { Client, type IFrame, type IMessage, type StompConfig, Versions } from '@stomp/stompjs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Served, serve } from '../testing/serve.ts';
import { Group, Message, Refusal } from './index.ts';

/** A server with one room that receives every SEND except the body "no". */
async function serveRoom(options: Parameters<typeof serve>[0] = {}) {
  const room = new Group<string>();
  const acknowledged: string[] = [];
  let messages = 0;
  const served = await serve({
    ...options,
    hooks: {
      onSubscribe: (subscription) => void room.add(subscription),
      onSend: async (_session, frame) => {
        await Promise.resolve();
        if (frame.body.toString() === 'no') return new Refusal('refused', { staysOpen: true });
        const copied = [...frame.headers].filter(([name]) => name.startsWith('x-'));
        messages += 1;
        const body = Buffer.from(frame.body);
        room.publish(new Message({ messageId: `m-${messages}`, body, headers: copied }));
        return undefined;
      },
      onAck: ({ messageIds, isPositive }) => {
        acknowledged.push(`${isPositive ? 'ack' : 'nack'} ${messageIds}`);
      },
      ...options.hooks,
    },
  });
  return { ...served, room, acknowledged };
}

/** Over Node's own WebSocket, another implementation than the server's. */
async function connect(served: Served, config: StompConfig = {}): Promise<Client> {
  const client = new Client({ brokerURL: served.url, reconnectDelay: 0, ...config });
  onTestFinished(() => client.deactivate({ force: true }));
  await new Promise<IFrame>((resolve, reject) => {
    client.onConnect = resolve;
    client.onStompError = (frame) => reject(new Error(frame.headers.message));
    client.activate();
  });
  return client;
}

function receipt(client: Client, id: string): Promise<IFrame> {
  return new Promise((resolve) => client.watchForReceipt(id, resolve));
}

/** Values that the client itself can carry: in 1.1 it knows no escapes. */
const VALUES = new Map([
  ['1.0', '가나 \\n'],
  ['1.1', '가나 다'],
  ['1.2', '가:나\n\r\\\\다'],
]);

it.for([...VALUES.keys()])(
  '@stomp/stompjs talks %s: subscribe, send, receipt, leave',
  async (version) => {
    const served = await serveRoom();
    const client = await connect(served, { stompVersions: new Versions([version]) });
    expect(client.connectedVersion).toBe(version);
    const failed = vi.fn();
    client.onStompError = failed;
    const received: IMessage[] = [];
    const subscription = client.subscribe('/room', (message) => received.push(message));
    const value = VALUES.get(version) as string;
    const done = receipt(client, 'r-1');
    client.publish({
      destination: '/room',
      body: '모각공\n✓',
      headers: { 'x-key': value, receipt: 'r-1' },
    });
    await done;
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]?.body).toBe('모각공\n✓');
    expect(received[0]?.headers['x-key']).toBe(value);
    const left = receipt(client, 'left');
    subscription.unsubscribe({ receipt: 'left' });
    await left;
    expect(served.room.size).toBe(0);
    await client.deactivate();
    await vi.waitFor(async () => expect(await served.connections()).toBe(0));
    expect(failed).not.toHaveBeenCalled();
  },
);

it.for([{ forceBinaryWSFrames: true }, { splitLargeFrames: true, maxWebSocketChunkSize: 100 }])(
  '@stomp/stompjs sends with %j',
  async (config) => {
    const served = await serveRoom();
    const client = await connect(served, config);
    const received: IMessage[] = [];
    client.subscribe('/room', (message) => received.push(message));
    const body = '가나다라'.repeat(300);
    client.publish({ destination: '/room', body });
    const binaryBody = Uint8Array.from([0, 255, 0, 10]);
    client.publish({ destination: '/room', binaryBody, headers: { 'x-kind': 'binary' } });
    await vi.waitFor(() => expect(received).toHaveLength(2));
    expect(received[0]?.body).toBe(body);
    expect([...(received[1]?.binaryBody ?? [])]).toEqual([0, 255, 0, 10]);
  },
);

it('@stomp/stompjs keeps the connection with heart-beats, both ways', async () => {
  const served = await serveRoom({
    heartBeat: { sendMs: 100, receiveMs: 100, silenceMs: 500 },
    tickMs: 10,
  });
  let heard = 0;
  const lost = vi.fn();
  await connect(served, {
    heartbeatIncoming: 100,
    heartbeatOutgoing: 100,
    onHeartbeatReceived: () => {
      heard += 1;
    },
    onHeartbeatLost: lost,
  });
  await vi.waitFor(() => expect(heard).toBeGreaterThan(20), { timeout: 25_000 });
  expect(lost).not.toHaveBeenCalled();
  expect(served.sessions()).toHaveLength(1);
});

it('@stomp/stompjs commits and aborts transactions', async () => {
  const served = await serveRoom();
  const client = await connect(served);
  const received: string[] = [];
  client.subscribe('/room', (message) => received.push(message.body));
  const [kept, dropped] = [client.begin(), client.begin()];
  client.publish({ destination: '/room', body: 'kept', headers: { transaction: kept.id } });
  client.publish({ destination: '/room', body: 'dropped', headers: { transaction: dropped.id } });
  client.publish({ destination: '/room', body: 'first' });
  dropped.abort();
  kept.commit();
  await vi.waitFor(() => expect(received).toEqual(['first', 'kept']));
});

it('@stomp/stompjs acknowledges messages one by one', async () => {
  const served = await serveRoom();
  const client = await connect(served);
  const answer = (message: IMessage) => (message.body === 'bad' ? message.nack() : message.ack());
  client.subscribe('/room', answer, { ack: 'client-individual' });
  client.publish({ destination: '/room', body: 'good' });
  client.publish({ destination: '/room', body: 'bad' });
  await vi.waitFor(() => expect(served.acknowledged).toEqual(['ack m-1', 'nack m-2']));
});

it('@stomp/stompjs gets ERROR and goes on when the refusal stays open', async () => {
  const served = await serveRoom();
  const client = await connect(served);
  const errors: IFrame[] = [];
  client.onStompError = (frame) => errors.push(frame);
  client.publish({ destination: '/room', body: 'no', headers: { receipt: '7' } });
  await vi.waitFor(() => expect(errors).toHaveLength(1));
  expect(errors[0]?.headers).toMatchObject({ message: 'refused', 'receipt-id': '7' });
  const done = receipt(client, '8');
  client.publish({ destination: '/room', body: 'yes', headers: { receipt: '8' } });
  await done;
});

it('@stomp/stompjs receives the reason why its CONNECT was refused', async () => {
  const served = await serveRoom({ hooks: { onConnect: () => new Refusal('token: expired') } });
  await expect(connect(served)).rejects.toThrow('token: expired');
});

it('@stomp/stompjs comes back after the server closed it', async () => {
  const served = await serveRoom();
  const client = await connect(served, { reconnectDelay: 20 });
  const back = new Promise<IFrame>((resolve) => {
    client.onConnect = resolve;
  });
  const [session] = served.sessions();
  session?.close(1012);
  await back;
  expect(served.sessions().map(({ id }) => id)).not.toContain(session?.id);
});
