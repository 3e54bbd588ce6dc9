import { isIP, isIPv6 } from 'node:net';

/**
 * An IPv4 address inside IPv6 as itself, and an address without the port that some proxies append. Everything
 * that is no address counts as one client.
 */
function plainAddress(given: string): string {
  const [, inBrackets, withPort] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/u.exec(given) ?? [];
  const address = (inBrackets ?? withPort ?? given).replace(/^::ffff:(?=\d+\.)/u, '');
  return isIP(address) ? address : '';
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

/** The networks of a client. A customer is given an IPv4 address or a /64, often a /56, sometimes a /48. */
interface Networks {
  /** Narrowest first: IPv4 address, /24 and /16; /64, /56 and /48 of IPv6. */
  readonly widths: readonly [string, string, string];
  /** The network that a single client can have addresses of: one IPv4 address, or a /64. */
  readonly own: string;
  /** The neighbours that share an attacker's address: /24 of IPv4, /64 of IPv6. */
  readonly block: string;
  /** The most that one customer is given of IPv6, a /48; /24 of IPv4. */
  readonly site: string;
}

/** @param address none of a client that has gone. */
export function networksOf(address = ''): Networks {
  const plain = plainAddress(address);
  if (isIPv6(plain)) {
    const own = groupsOf(plain).join(':');
    const site = `${own.slice(0, 14)}/48`;
    return { widths: [own, `${own.slice(0, 17)}/56`, site], own, block: own, site };
  }
  const parts = plain.split('.');
  const block = `${parts.slice(0, 3).join('.')}/24`;
  const widths = [plain, block, `${parts.slice(0, 2).join('.')}/16`] as const;
  return { widths, own: plain, block, site: block };
}
