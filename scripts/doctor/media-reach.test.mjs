import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { checkMediaAddress, checkTurn, isPrivate } from './media-reach.mjs';

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses.some(({ address }) => address === '::1'),
);
const PUBLIC_URL = 'https://203.0.113.7';
const check = (env, own = ['10.0.0.5']) => checkMediaAddress(env, own, { tcp: 7881 }, false);
const levels = async (findings) => (await findings).map(({ level }) => level);

test.each([
  ['10.1.2.3', true],
  ['192.168.0.1', true],
  ['172.15.0.1', false],
  ['172.16.0.1', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['203.0.113.7', false],
])('%s is private: %s', (address, expected) => {
  expect(isPrivate(address)).toBe(expected);
});

test('a public site whose media has private addresses only is a problem', async () => {
  expect(await levels(check({ PUBLIC_URL }))).toEqual(['problem']);
  expect(await levels(check({ PUBLIC_URL, MEDIA_ADDRESS: '192.168.0.2' }))).toEqual(['problem']);
  expect(await levels(check({ MEDIA_ADDRESS: 'no-such-host.invalid' }))).toEqual(['problem']);
  expect(await levels(check({ PUBLIC_URL, MEDIA_ADDRESS: '203.0.113.7' }))).toEqual(['ok']);
  expect(await levels(check({ PUBLIC_URL }, ['203.0.113.7']))).toEqual([]);
  expect(await levels(check({}))).toEqual([]);
});

// Together, because each waits for an answer that does not come.
test.concurrent.each([
  ['127.0.0.1', 'turn:127.0.0.1'],
  ['127.0.0.1', 'TURN:127.0.0.1'],
  ...(hasIPv6 ? [['::1', 'turn:[::1]']] : []),
])('a TURN server on %s is asked whether it is there as %s', async (address, name) => {
  const server = createSocket(address === '::1' ? 'udp6' : 'udp4');
  server.on('message', (request, peer) => {
    const answer = Buffer.from(request);
    answer.writeUInt16BE(0x0101);
    server.send(answer, peer.port, peer.address);
  });
  server.bind(0, address);
  await once(server, 'listening');
  const url = `${name}:${server.address().port}?transport=udp`;
  expect(await levels(checkTurn(url))).toEqual(['ok']);
  server.close();
  await once(server, 'close');
  expect(await levels(checkTurn(url))).toEqual(['problem']);
  expect(await levels(checkTurn(url.replace('udp', 'tcp')))).toEqual(['problem']);
});

test('no TURN server, and no address of one, is not asked', async () => {
  expect(await levels(checkTurn())).toEqual([]);
  expect(await levels(checkTurn('https://turn.example.org'))).toEqual([]);
});
