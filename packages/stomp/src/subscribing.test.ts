import { expect, it, vi } from 'vitest';
import { RawClient } from '../testing/raw-client.ts';
import { serve } from '../testing/serve.ts';
import { Group, Message, Refusal, type StompSubscription } from './index.ts';

/** A server that remembers subscriptions by destination, and rooms to put them in. */
async function serveRooms() {
  const made = new Map<string, StompSubscription<string>>();
  const onUnsubscribe = vi.fn();
  const served = await serve({
    hooks: {
      onSubscribe: (subscription) => void made.set(subscription.destination, subscription),
      onUnsubscribe,
    },
  });
  const subscriptionTo = (destination: string) =>
    made.get(destination) as StompSubscription<string>;
  return { ...served, subscriptionTo, onUnsubscribe };
}

const hello = (messageId: string, destination?: string) =>
  new Message({ messageId, body: 'hello', ...(destination && { destination }) });

it.for([
  ['1.2', 'SUBSCRIBE', ['destination:/a'], 'SUBSCRIBE needs id'],
  ['1.1', 'SUBSCRIBE', ['destination:/a'], 'SUBSCRIBE needs id'],
  ['1.2', 'SUBSCRIBE', ['id:0'], 'SUBSCRIBE needs destination'],
  ['1.2', 'UNSUBSCRIBE', ['destination:/a'], 'UNSUBSCRIBE needs id'],
  ['1.0', 'SUBSCRIBE', [], 'SUBSCRIBE needs destination'],
] as const)('[SU1] in %s refuses %s with only %j', async ([version, command, lines, message]) => {
  const { url } = await serve();
  const client = await RawClient.connect(url, [`accept-version:${version}`]);
  client.send(command, ...lines);
  expect((await client.expect('ERROR')).headers.get('message')).toBe(message.replace(/:/g, '\\c'));
  expect(await client.closed()).toBe(1002);
});

it('[SU2] refuses an id that is in use', async () => {
  const { url } = await serveRooms();
  const client = await RawClient.connect(url);
  client.send('SUBSCRIBE', 'id:0', 'destination:/a');
  client.send('SUBSCRIBE', 'id:0', 'destination:/b');
  expect((await client.expect('ERROR')).headers.get('message')).toBe('subscription id is taken');
});

it.for([
  ['1.2', 'nonsense'],
  ['1.2', ''],
  ['1.0', 'client-individual'],
])('[SU3] in %s refuses ack mode %j', async ([version, mode]) => {
  const { url } = await serve();
  const client = await RawClient.connect(url, [`accept-version:${version}`]);
  client.send('SUBSCRIBE', 'id:0', 'destination:/a', `ack:${mode}`);
  expect((await client.expect('ERROR')).headers.get('message')).toBe('unknown ack mode');
});

it('[SU4] lets a 1.0 client subscribe and unsubscribe by destination alone', async () => {
  const { url, subscriptionTo, onUnsubscribe } = await serveRooms();
  const client = await RawClient.connect(url, []);
  client.send('SUBSCRIBE', 'destination:/a', 'receipt:1');
  await client.expect('RECEIPT');
  subscriptionTo('/a').send(hello('1'));
  const { headers } = await client.expect('MESSAGE');
  expect(headers.has('subscription')).toBe(false);
  expect(headers.get('destination')).toBe('/a');
  client.send('UNSUBSCRIBE', 'destination:/a', 'receipt:2');
  await client.expect('RECEIPT');
  expect(onUnsubscribe).toHaveBeenCalledOnce();
});

it.for(['returned', 'thrown', 'rejected'])(
  '[SU5] [ER5] a refusal (%s) leaves no subscription and the connection open',
  async (way) => {
    const refusal = new Refusal('not this room', { staysOpen: true, headers: [['code', 'E1']] });
    let refused: StompSubscription<string> | undefined;
    const { url } = await serve({
      hooks: {
        onSubscribe: (subscription) => {
          if (subscription.destination !== '/secret') return undefined;
          refused = subscription;
          if (way === 'thrown') throw refusal;
          return way === 'returned' ? refusal : Promise.reject(refusal);
        },
      },
    });
    const client = await RawClient.connect(url);
    client.send('SUBSCRIBE', 'id:0', 'destination:/secret', 'receipt:a');
    const error = await client.expect('ERROR');
    expect(Object.fromEntries(error.headers)).toEqual({
      message: 'not this room',
      code: 'E1',
      'receipt-id': 'a',
    });
    client.send('SUBSCRIBE', 'id:0', 'destination:/open', 'receipt:b');
    expect((await client.expect('RECEIPT')).headers.get('receipt-id')).toBe('b');
    expect(refused?.isOpen).toBe(false);
    expect(new Group<string>().add(refused as StompSubscription<string>)).toBe(false);
  },
);

it('[SU6] delivers what onSubscribe sends before the receipt', async () => {
  const { url } = await serve({
    hooks: {
      onSubscribe: async (subscription) => {
        await Promise.resolve();
        subscription.send(hello('snapshot'));
      },
    },
  });
  const client = await RawClient.connect(url);
  client.send('SUBSCRIBE', 'id:0', 'destination:/a', 'receipt:1');
  expect((await client.next()).headers.get('message-id')).toBe('snapshot');
  await client.expect('RECEIPT');
});

it('[SU7] delivers nothing after UNSUBSCRIBE, and answers an unknown id as done', async () => {
  const { url, subscriptionTo, onUnsubscribe } = await serveRooms();
  const client = await RawClient.connect(url);
  client.send('SUBSCRIBE', 'id:0', 'destination:/a');
  await client.settle();
  const subscription = subscriptionTo('/a');
  const room = new Group<string>();
  room.add(subscription);
  client.send('UNSUBSCRIBE', 'id:0', 'receipt:1');
  await client.expect('RECEIPT');
  expect(onUnsubscribe).toHaveBeenCalledExactlyOnceWith(subscription);
  expect(room.publish(hello('1'))).toBe(0);
  expect(subscription.send(hello('2'))).toBe(false);
  client.send('UNSUBSCRIBE', 'id:0', 'receipt:2');
  expect((await client.next()).headers.get('receipt-id')).toBe('2');
  expect(onUnsubscribe).toHaveBeenCalledOnce();
});

it('[SU8] [SE3] a group delivers whatever destination its members named', async () => {
  const { url, subscriptionTo } = await serveRooms();
  const [one, two] = [await RawClient.connect(url), await RawClient.connect(url)];
  one.send('SUBSCRIBE', 'id:sub-0', 'destination:/topic/messages');
  two.send('SUBSCRIBE', 'id:sub-7', 'destination:/topic/messages/42');
  await Promise.all([one.settle(), two.settle()]);
  const room = new Group<string>();
  room.add(subscriptionTo('/topic/messages'));
  room.add(subscriptionTo('/topic/messages/42'));
  expect(room.publish(hello('1'))).toBe(2);
  expect(room.publish(hello('2', '/elsewhere'))).toBe(2);
  for (const [client, id, destination] of [
    [one, 'sub-0', '/topic/messages'],
    [two, 'sub-7', '/topic/messages/42'],
  ] as const) {
    const first = await client.expect('MESSAGE');
    expect(first.headers.get('subscription')).toBe(id);
    expect(first.headers.get('destination')).toBe(destination);
    expect((await client.expect('MESSAGE')).headers.get('destination')).toBe('/elsewhere');
  }
});

it('[SU9] [SU10] a subscription moves between groups, and leaves all when its connection ends', async () => {
  const { url, subscriptionTo, connections } = await serveRooms();
  const client = await RawClient.connect(url);
  client.send('SUBSCRIBE', 'id:0', 'destination:/topic/messages');
  await client.settle();
  const subscription = subscriptionTo('/topic/messages');
  const [first, second, third] = [new Group<string>(), new Group<string>(), new Group<string>()];
  first.add(subscription);
  first.publish(hello('in first'));
  first.remove(subscription);
  second.add(subscription);
  second.add(subscription);
  third.add(subscription);
  first.publish(hello('lost'));
  second.publish(hello('in second'));
  third.publish(hello('in third'));
  for (const messageId of ['in first', 'in second', 'in third']) {
    expect((await client.expect('MESSAGE')).headers.get('message-id')).toBe(messageId);
  }
  client.socket.terminate();
  await vi.waitFor(async () => expect(await connections()).toBe(0));
  expect([first.size, second.size, third.size]).toEqual([0, 0, 0]);
  expect(second.add(subscription)).toBe(false);
  expect(second.size).toBe(0);
});

it('[SU11] sends to one subscription alone', async () => {
  const { url, subscriptionTo } = await serveRooms();
  const client = await RawClient.connect(url);
  client.send('SUBSCRIBE', 'id:0', 'destination:/a');
  client.send('SUBSCRIBE', 'id:1', 'destination:/b');
  await client.settle();
  const message = new Message({
    messageId: '1:2',
    body: '{"n":1}',
    contentType: 'application/json',
    headers: [['x-key', 'a:b']],
  });
  expect(subscriptionTo('/b').send(message)).toBe(true);
  const { headers, body } = await client.expect('MESSAGE');
  expect(Object.fromEntries(headers)).toEqual({
    subscription: '1',
    destination: '/b',
    'message-id': '1\\c2',
    'content-type': 'application/json',
    'content-length': '7',
    'x-key': 'a\\cb',
  });
  expect(body).toBe('{"n":1}');
  await client.settle();
});
