/** Where a message goes. */
interface PushDestination {
  /** As the setting PUSH_SERVICES names it. */
  readonly service: string;
  /** The host below a `*.`; undefined for a service with one host. */
  readonly host: string | undefined;
}

const hasHostsBelow = (service: string) => service.includes('//*.');

/**
 * The push service that an address belongs to, by the setting PUSH_SERVICES; null for any other address. An
 * address comes from a client, and the site sends to it: only named services get anything, never a network of
 * the operator. `*.` stands for any host below.
 */
export function destinationOf(
  endpoint: string,
  services: readonly string[],
): PushDestination | null {
  const address = URL.parse(endpoint);
  const service = address && services.find((each) => matches(address, each));
  if (!address || !service) return null;
  return { service, host: hasHostsBelow(service) ? address.host : undefined };
}

function matches({ protocol, host, origin }: URL, service: string): boolean {
  if (!hasHostsBelow(service)) return origin === service;
  const [scheme, below] = service.split('//*') as [string, string];
  return protocol === scheme && host.endsWith(below);
}
