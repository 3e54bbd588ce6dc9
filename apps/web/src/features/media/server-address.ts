/**
 * The address of the media server's signalling: absolute as given, or a path of this site, always
 * ws or wss. Null when there is none (specification §5).
 */
export function signallingAddress(serverUrl: string, page: string): string | null {
  if (serverUrl.trim() === '' || !URL.canParse(serverUrl, page)) return null;
  const url = new URL(serverUrl, page);
  if (url.protocol === 'http:') url.protocol = 'ws:';
  if (url.protocol === 'https:') url.protocol = 'wss:';
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') return null;
  return url.href.replace(/\/$/u, '');
}
