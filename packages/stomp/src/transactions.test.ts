import { expect, it, vi } from 'vitest';
import { RawClient } from '../testing/raw-client.ts';
import { serve } from '../testing/serve.ts';
import { Refusal } from './index.ts';

async function serveSends(refuseBody?: string) {
  const sent: string[] = [];
  const served = await serve({
    hooks: {
      onSend: async (_session, frame) => {
        await Promise.resolve();
        const body = frame.body.toString();
        if (body === refuseBody) return new Refusal('not that', { staysOpen: true });
        sent.push(body);
        return undefined;
      },
    },
  });
  return { ...served, sent, client: await RawClient.connect(served.url) };
}

it('[TX1] [TX6] handles the SENDs of a transaction at COMMIT, in order', async () => {
  const { client, sent } = await serveSends();
  client.send('BEGIN', 'transaction:t');
  for (const body of ['1', '2', '3']) client.sendBody(body, 'destination:/a', 'transaction:t');
  client.sendBody('between', 'destination:/a');
  client.sendBody('4', 'destination:/a', 'transaction:t', 'receipt:held');
  expect((await client.expect('RECEIPT')).headers.get('receipt-id')).toBe('held');
  expect(sent).toEqual(['between']);
  client.send('COMMIT', 'transaction:t', 'receipt:done');
  expect((await client.expect('RECEIPT')).headers.get('receipt-id')).toBe('done');
  expect(sent).toEqual(['between', '1', '2', '3', '4']);
});

it('[TX2] drops them at ABORT, and the name is free again', async () => {
  const { client, sent } = await serveSends();
  client.send('BEGIN', 'transaction:t');
  client.sendBody('dropped', 'destination:/a', 'transaction:t');
  client.send('ABORT', 'transaction:t');
  client.send('BEGIN', 'transaction:t');
  client.sendBody('kept', 'destination:/a', 'transaction:t');
  client.send('COMMIT', 'transaction:t', 'receipt:1');
  await client.expect('RECEIPT');
  expect(sent).toEqual(['kept']);
});

it.for([
  ['COMMIT', 'transaction:x'],
  ['ABORT', 'transaction:x'],
  ['ACK', 'transaction:x', 'id:1'],
  ['SEND', 'transaction:x', 'destination:/a'],
])('[TX3] refuses %s in a transaction that is not open', async ([command, ...lines]) => {
  const { client } = await serveSends();
  client.send(command as string, ...lines);
  expect((await client.expect('ERROR')).headers.get('message')).toBe('unknown transaction');
  expect(await client.closed()).toBe(1002);
});

it('[TX4] refuses to open a transaction twice, or without a name', async () => {
  const { client, url } = await serveSends();
  client.send('BEGIN', 'transaction:t');
  client.send('BEGIN', 'transaction:t');
  const error = await client.expect('ERROR');
  expect(error.headers.get('message')).toBe('transaction is already open');
  const other = await RawClient.connect(url);
  other.send('BEGIN');
  expect((await other.expect('ERROR')).headers.get('message')).toBe('BEGIN needs transaction');
});

it('[TX7] ends a COMMIT at the first refusal', async () => {
  const { client, sent } = await serveSends('bad');
  client.send('BEGIN', 'transaction:t');
  for (const body of ['1', 'bad', '3']) client.sendBody(body, 'destination:/a', 'transaction:t');
  client.send('COMMIT', 'transaction:t', 'receipt:c');
  const error = await client.expect('ERROR');
  expect(error.headers.get('receipt-id')).toBe('c');
  await client.settle();
  expect(sent).toEqual(['1']);
});

it('[TX8] ends transactions with the connection', async () => {
  const { client, sent, connections } = await serveSends();
  client.send('BEGIN', 'transaction:t');
  client.sendBody('lost', 'destination:/a', 'transaction:t');
  client.send('DISCONNECT', 'receipt:bye');
  await client.expect('RECEIPT');
  await client.closed();
  await vi.waitFor(async () => expect(await connections()).toBe(0));
  expect(sent).toEqual([]);
});

it('[LI7] opens no more transactions than the limit', async () => {
  const { client } = await serveSends();
  for (let i = 0; i < 8; i += 1) client.send('BEGIN', `transaction:${i}`);
  client.send('BEGIN', 'transaction:9');
  expect((await client.expect('ERROR')).headers.get('message')).toBe('too many open transactions');
});

it('[LI8] holds no more frames and bytes than the limits', async () => {
  const { client, url, sent } = await serveSends();
  client.send('BEGIN', 'transaction:t');
  for (let i = 0; i < 100; i += 1) client.sendBody('', 'destination:/a', 'transaction:t');
  client.send('COMMIT', 'transaction:t', 'receipt:1');
  await client.expect('RECEIPT');
  expect(sent).toHaveLength(100);
  client.send('BEGIN', 'transaction:t');
  for (let i = 0; i < 101; i += 1) client.sendBody('', 'destination:/a', 'transaction:t');
  const error = await client.expect('ERROR');
  expect(error.headers.get('message')).toBe('open transactions hold too much');
  const big = await RawClient.connect(url);
  big.send('BEGIN', 'transaction:t');
  for (let i = 0; i < 5; i += 1) {
    big.sendBody('x'.repeat(15_000), 'destination:/a', 'transaction:t');
  }
  await big.expect('ERROR');
});
