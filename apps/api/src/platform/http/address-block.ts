import { isIPv6 } from 'node:net';

/** An IPv4 address inside IPv6 as itself. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/u, '');
}

/** The first four groups of an IPv6 address: the network that one customer is given. */
function networkOf(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (address.includes('::')) {
    const behind = tail === '' ? [] : tail.split(':');
    const missing = Math.max(0, 8 - groups.length - behind.length);
    groups.push(...Array.from({ length: missing }, () => '0'), ...behind);
  }
  return groups.slice(0, 4).join(':');
}

/**
 * Who a single client can pretend to be: one IPv4 address, or the /64 of an IPv6 address. A client that
 * has gone has no address.
 */
export function clientNetwork(address = ''): string {
  const plain = unmapped(address);
  return isIPv6(plain) ? networkOf(plain) : plain;
}

/** The neighbours that share an attacker's address: /24 of IPv4, /64 of IPv6. */
export function addressBlock(address = ''): string {
  const plain = unmapped(address);
  return isIPv6(plain) ? networkOf(plain) : plain.split('.').slice(0, 3).join('.');
}
