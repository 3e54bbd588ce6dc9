import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { SignalRequest } from '@livekit/protocol';
import { rejectUpgrade } from '@mogakgong/stomp';
import { WebSocket, WebSocketServer } from 'ws';
import { type TrackFault, trackFault } from './track-rules.ts';

/** An offer for a full room is about 100 KB. */
const MESSAGE_MAX_BYTES = 512 * 1024;
/** Who reads so much too slowly is cut off. */
const UNREAD_MAX_BYTES = 2 * 1024 * 1024;
const UNSUPPORTED_DATA = 1003;
const AUDIO_SECTION = /^m=audio/imu;

/** The upgrade of a client whose token was checked, and where it leads. */
interface CheckedUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly url: URL;
  readonly authorization: string;
}

/** Descriptions of sessions are long and repeat themselves: compression saves nine tenths of them. */
const clients = new WebSocketServer({
  noServer: true,
  maxPayload: MESSAGE_MAX_BYTES,
  perMessageDeflate: { serverNoContextTakeover: true, clientNoContextTakeover: true },
});

/**
 * Connects a client with the media server and passes on what they say. A request to publish what is
 * not allowed is given to `onFault` instead, which never rejects, and then the connection ends: the
 * media server would accept it, ignore a track for which it has no codec, and report nothing.
 * @returns when the media server has accepted the connection or refused it.
 */
export function relaySignalling(
  { request, socket, head, url, authorization }: CheckedUpgrade,
  onFault: (fault: TrackFault) => Promise<void>,
): Promise<void> {
  const server = new WebSocket(url, {
    headers: { authorization, 'user-agent': request.headers['user-agent'] ?? '' },
    perMessageDeflate: false,
  });
  socket.once('close', () => server.terminate());
  return new Promise((resolve, reject) => {
    server.once('unexpected-response', (_request, answer) => {
      answer.resume();
      rejectUpgrade(socket, answer.statusCode ?? 502);
      resolve();
    });
    server.once('error', reject);
    server.once('open', () => {
      clients.handleUpgrade(request, socket, head, (client) => join(client, server, onFault));
      resolve();
    });
  });
}

function join(
  client: WebSocket,
  server: WebSocket,
  onFault: (fault: TrackFault) => Promise<void>,
): void {
  client.on('message', (data, isBinary) => {
    const signal = isBinary ? parse(data as Buffer) : null;
    if (signal === null) return client.close(UNSUPPORTED_DATA);
    const fault = requestFault(signal);
    // Encoded again: the media server reads exactly what was checked.
    if (fault === null) return send(server, signal.toBinary());
    client.removeAllListeners('message');
    void onFault(fault).finally(() => client.terminate());
  });
  server.on('message', (data) => send(client, data as Buffer));
  for (const [end, other] of [
    [client, server],
    [server, client],
  ] as const) {
    end.on('close', () => other.close());
    end.on('error', () => end.terminate());
  }
}

function send(socket: WebSocket, message: Uint8Array): void {
  socket.send(message);
  if (socket.bufferedAmount > UNREAD_MAX_BYTES) socket.terminate();
}

function parse(data: Buffer): SignalRequest | null {
  try {
    return SignalRequest.fromBinary(data);
  } catch {
    return null;
  }
}

/** What is wrong with what a client asks to publish; null for a camera and for all other requests. */
function requestFault({ message }: SignalRequest): TrackFault | null {
  if (message.case === 'addTrack') return trackFault([message.value]);
  const isSound = message.case === 'offer' && AUDIO_SECTION.test(message.value.sdp);
  return isSound ? 'notCamera' : null;
}
