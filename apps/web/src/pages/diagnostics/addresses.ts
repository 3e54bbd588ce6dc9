/** The private addresses that diagnostics warn of (specification §9): 10.x, 192.168.x, 172.16 to 172.31. */
const PRIVATE = /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/u;
/** Browsers treat these as secure without https. */
const LOCAL = /^(?:localhost|127\.[\d.]+|\[::1\])$/u;

/** Whether only machines of the same network reach an address. */
export const isPrivateAddress = (host: string): boolean => PRIVATE.test(host);

/** Loopback and link-local addresses, and the private ones of IPv6 (RFC 3927, 4193, 4291). */
const NOT_ROUTED = /^(?:127\.|169\.254\.|::1$|(?:f[cd]|fe[89ab])[\da-f]{0,2}:)/iu;

/** Where the IP addresses of a server can be reached from: its own networks, the internet, or both. */
export function reachOf(addresses: readonly string[]): 'private' | 'public' | 'mixed' | 'none' {
  if (addresses.length === 0) return 'none';
  const isPrivate = (address: string) => PRIVATE.test(address) || NOT_ROUTED.test(address);
  if (addresses.every(isPrivate)) return 'private';
  return addresses.some(isPrivate) ? 'mixed' : 'public';
}

/** Whether data to a server travels unencrypted (specification §7). */
export function isInsecureUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (protocol === 'http:' || protocol === 'ws:') && !LOCAL.test(hostname);
}
