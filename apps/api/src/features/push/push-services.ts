/**
 * The push service that an address belongs to, by the setting PUSH_SERVICES; null for any other address. An
 * address comes from a client, and the site sends to it: only named services get anything, never a network of
 * the operator. `*.` stands for any host below.
 */
export function serviceOf(endpoint: string, services: readonly string[]): string | null {
  const address = URL.parse(endpoint);
  if (!address) return null;
  return services.find((service) => matches(address, service)) ?? null;
}

function matches({ protocol, host, origin }: URL, service: string): boolean {
  if (!service.includes('//*.')) return origin === service;
  const [scheme, below] = service.split('//*') as [string, string];
  return protocol === scheme && host.endsWith(below);
}
