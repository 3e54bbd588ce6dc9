import { expect, it } from 'vitest';
import { RawClient } from '../testing/raw-client.ts';
import { serve } from '../testing/serve.ts';
import { Message, type StompSubscription } from './index.ts';

/** Connects, subscribes as `0` and receives messages a, b, c; collects the acknowledged ones. */
async function subscribed(version: string, ack: string) {
  const answers: string[] = [];
  let subscription: StompSubscription<string> | undefined;
  const served = await serve({
    hooks: {
      onSubscribe: (made) => {
        subscription = made;
        for (const messageId of ['a', 'b', 'c']) made.send(new Message({ messageId, body: '' }));
      },
      onAck: ({ messageIds, isPositive }) => {
        answers.push(`${isPositive ? 'ACK' : 'NACK'} ${messageIds.join(',')}`);
      },
    },
  });
  const client = await RawClient.connect(served.url, [`accept-version:${version}`]);
  client.send('SUBSCRIBE', 'id:0', 'destination:/a', `ack:${ack}`);
  const acks: (string | undefined)[] = [];
  for (let i = 0; i < 3; i += 1) acks.push((await client.expect('MESSAGE')).headers.get('ack'));
  return { ...served, client, answers, acks, subscription };
}

it('[AC1] [AC4] in 1.2 client-individual, `id` names the `ack` of one message', async () => {
  const { client, answers, acks } = await subscribed('1.2', 'client-individual');
  expect(new Set(acks).size).toBe(3);
  client.send('ACK', `id:${acks[1]}`);
  client.send('ACK', `id:${acks[0]}`);
  await client.settle();
  expect(answers).toEqual(['ACK b', 'ACK a']);
});

it('[AC2] in 1.1 subscription and message-id name it, in 1.0 message-id alone', async () => {
  const in11 = await subscribed('1.1', 'client-individual');
  expect(in11.acks).toEqual([undefined, undefined, undefined]);
  in11.client.send('ACK', 'subscription:0', 'message-id:c');
  await in11.client.settle();
  expect(in11.answers).toEqual(['ACK c']);
  in11.client.send('ACK', 'message-id:a');
  const error = await in11.client.expect('ERROR');
  expect(error.headers.get('message')).toBe('ACK needs subscription');
  const in10 = await subscribed('1.0', 'client');
  in10.client.send('ACK', 'message-id:b');
  await in10.client.settle();
  expect(in10.answers).toEqual(['ACK a,b']);
});

it('[AC3] in mode client covers all earlier messages', async () => {
  const { client, answers, acks } = await subscribed('1.2', 'client');
  client.send('ACK', `id:${acks[1]}`);
  client.send('NACK', `id:${acks[2]}`);
  await client.settle();
  expect(answers).toEqual(['ACK a,b', 'NACK c']);
});

it('[AC5] distinguishes NACK from ACK, and has none in 1.0', async () => {
  const { client, answers, acks } = await subscribed('1.2', 'client-individual');
  client.send('NACK', `id:${acks[0]}`);
  await client.settle();
  expect(answers).toEqual(['NACK a']);
  const in10 = await subscribed('1.0', 'client');
  in10.client.send('NACK', 'message-id:a');
  const error = await in10.client.expect('ERROR');
  expect(error.headers.get('message')).toBe('unknown command');
});

it.for(['0\\cz', 'nonsense', '1\\ca', ''])('[AC6] refuses an ACK for %j', async (id) => {
  const { client } = await subscribed('1.2', 'client-individual');
  client.send('ACK', `id:${id}`);
  expect((await client.expect('ERROR')).headers.get('message')).toBe(
    'unknown message acknowledged',
  );
  expect(await client.closed()).toBe(1002);
});

it('[AC6] refuses a second ACK of one message', async () => {
  const { client, acks } = await subscribed('1.2', 'client-individual');
  client.send('ACK', `id:${acks[0]}`);
  client.send('ACK', `id:${acks[0]}`);
  await client.expect('ERROR');
});

it('[AC7] writes no ack header in mode auto', async () => {
  const { acks } = await subscribed('1.2', 'auto');
  expect(acks).toEqual([undefined, undefined, undefined]);
});

it('[TX5] holds ACK in a transaction until COMMIT', async () => {
  const { client, answers, acks } = await subscribed('1.2', 'client-individual');
  client.send('BEGIN', 'transaction:t');
  client.send('ACK', `id:${acks[0]}`, 'transaction:t');
  client.send('NACK', `id:${acks[1]}`, 'transaction:t', 'receipt:held');
  await client.expect('RECEIPT');
  expect(answers).toEqual([]);
  client.send('COMMIT', 'transaction:t', 'receipt:done');
  await client.expect('RECEIPT');
  expect(answers).toEqual(['ACK a', 'NACK b']);
});
