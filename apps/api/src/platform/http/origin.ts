import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of `Origin` may call with the reader's cookies or open a WebSocket: our own pages
 * may, whatever name they were reached by; programs that are no browser send no Origin.
 */
export function isOriginAllowed(
  { origin, host }: IncomingHttpHeaders,
  publicUrl: string | undefined,
): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return (
    from.host === host || (publicUrl !== undefined && from.origin === new URL(publicUrl).origin)
  );
}
