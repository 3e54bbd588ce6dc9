import { isIPv6 } from 'node:net';

/** An IPv4 address that a socket for both families writes as IPv6. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/u, '');

/** The network that one client can have all addresses of: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':');
  const behind = tail?.split(':') ?? [];
  while (groups.length + behind.length < 8) groups.push('0');
  return [...groups, ...behind].slice(0, 4).join(':');
}
