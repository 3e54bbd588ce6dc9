import { randomBytes } from 'node:crypto';
import { REALTIME_PATH } from '@mogakgong/contract';

interface UpgradeRequest {
  /** What a proxy of ours would append. */
  readonly forwardedFor?: string | undefined;
  readonly subProtocols?: readonly string[];
}

/** The upgrade to a realtime connection, as bytes. */
export function upgradeRequest({
  forwardedFor,
  subProtocols = ['v12.stomp'],
}: UpgradeRequest): string {
  return [
    `GET ${REALTIME_PATH} HTTP/1.1`,
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Protocol: ${subProtocols.join(', ')}`,
    ...(forwardedFor === undefined ? [] : [`X-Forwarded-For: ${forwardedFor}`]),
    '\r\n',
  ].join('\r\n');
}
