import { expect, test } from 'vitest';
import { isInsecureUrl, isPrivateAddress, reachOf } from './addresses.ts';

test.each([
  ['10.0.0.1', true],
  ['10.255.255.255', true],
  ['11.0.0.1', false],
  ['192.168.0.1', true],
  ['192.169.0.1', false],
  ['172.15.255.255', false],
  ['172.16.0.1', true],
  ['172.31.255.255', true],
  ['172.32.0.1', false],
  ['10.example.org', false],
])('the address %s is private: %s (specification §9)', (host, expected) => {
  expect(isPrivateAddress(host)).toBe(expected);
});

test.each([
  ['ws://media.example.org', true],
  ['http://study.example.org', true],
  ['wss://media.example.org', false],
  ['https://study.example.org', false],
  ['ws://localhost:3000/livekit', false],
  ['ws://127.0.0.1:7880', false],
])('the server url %s is insecure: %s (specification §7)', (url, expected) => {
  expect(isInsecureUrl(url)).toBe(expected);
});

test.each([
  ['private', ['127.0.0.1', '192.168.0.2', '169.254.1.1', '::1', 'fe80::1', 'fd12:3456::1']],
  ['public', ['203.0.113.7', '2001:db8::1']],
  ['mixed', ['10.0.0.1', '2001:db8::1']],
  ['none', []],
])('the reach of a server is %s with %j', (reach, addresses) => {
  expect(reachOf(addresses)).toBe(reach);
});
