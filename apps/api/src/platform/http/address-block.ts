import { isIPv6 } from 'node:net';

/** An IPv4 address inside IPv6 as itself. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/u, '');
}

/** The first four groups of an IPv6 address, of four digits each: its /64. */
function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (address.includes('::')) {
    const behind = tail === '' ? [] : tail.split(':');
    const missing = Math.max(0, 8 - groups.length - behind.length);
    groups.push(...Array.from({ length: missing }, () => '0'), ...behind);
  }
  return groups.slice(0, 4).map((group) => group.padStart(4, '0'));
}

/**
 * The networks of a client, narrowest first: its IPv4 address, /24 and /16; /64, /56 and /48 of IPv6. A
 * customer gets an IPv4 address or a /64, often a /56, sometimes a /48. A disconnected client has no address.
 */
export function networksOf(address = ''): readonly [string, string, string] {
  const plain = unmapped(address);
  if (isIPv6(plain)) {
    const network = groupsOf(plain).join(':');
    return [network, `${network.slice(0, 17)}/56`, `${network.slice(0, 14)}/48`];
  }
  const parts = plain.split('.');
  return [plain, `${parts.slice(0, 3).join('.')}/24`, `${parts.slice(0, 2).join('.')}/16`];
}

/** The network of the addresses that a single client can have: one IPv4 address, or the /64 of an IPv6 address. */
export function clientNetwork(address?: string): string {
  return networksOf(address)[0];
}

/** The neighbours of an attacker's address: /24 of IPv4, /64 of IPv6. */
export function addressBlock(address = ''): string {
  const [own, wider] = networksOf(address);
  return isIPv6(unmapped(address)) ? own : wider;
}

/** The /48 of an IPv6 address, the largest network of one customer, or the /24 of IPv4. */
export function widerNetwork(address = ''): string {
  return siteNetwork(address) ?? addressBlock(address);
}

/** The /48 of an IPv6 address; null for IPv4. */
export function siteNetwork(address = ''): string | null {
  return isIPv6(unmapped(address)) ? networksOf(address)[2] : null;
}
