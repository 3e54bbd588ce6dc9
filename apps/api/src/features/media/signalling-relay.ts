import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type SessionDescription, SignalRequest } from '@livekit/protocol';
import { rejectUpgrade, TokenBucket } from '@mogakgong/stomp';
import { WebSocket, WebSocketServer } from 'ws';
import type { PairFilter } from './pair-filter.ts';
import { type TrackFault, trackFault } from './track-rules.ts';
import { countFields } from './wire-fields.ts';

/**
 * Bytes that a client may send over its signalling connection, uncompressed; each message costs `perMessage`
 * more, and each field of it `perField`: decoding and encoding one takes 6 µs, however short it is. An answer for a
 * full room is about 100 KB, repeated as learners come and go.
 */
const signallingBytes = {
  perSecond: 256 * 1024,
  burst: 4 * 1024 * 1024,
  perMessage: 4 * 1024,
  perField: 256,
} as const;
/** A message about all tracks of a full room has about 100. */
const FIELDS_MAX = 1_000;

/** An offer for a full room is about 100 KB. */
const MESSAGE_MAX_BYTES = 512 * 1024;
/**
 * Of a message without a session description. What it says of a track, like its name, the media server repeats to
 * everybody at each change.
 */
const SHORT_MESSAGE_MAX_BYTES = 8 * 1024;
const LONG: ReadonlySet<SignalRequest['message']['case']> = new Set([
  'offer',
  'answer',
  'syncState',
]);
/** A client with more unread bytes is disconnected. */
const UNREAD_MAX_BYTES = 2 * 1024 * 1024;
const UNSUPPORTED_DATA = 1003;
/** A client that has not answered a ping by the next one counts as gone. */
const PING_EVERY_MS = 10_000;
const HANDSHAKE_TIMEOUT_MS = 5_000;
const AUDIO_SECTION = /^m=audio/imu;
/**
 * The media server writes a line that it does not understand into its log. Lines of browsers have some hundred
 * characters.
 */
const DESCRIPTION = /^(?:[a-z]=[^\p{Cc}]{0,1000}\r?\n)*$/u;
/** Addresses of a client, in a session description. */
const CANDIDATE_LINES = /^a=(?:candidate|end-of-candidates).*$\r?\n?/gimu;
/**
 * Addresses of itself that a client may name, each in a message of its own. The media server tries each of them,
 * unless it is ICE-lite, and needs none: it is the client that opens the way. A browser names about 20 for its two
 * connections.
 */
const CANDIDATES_MAX = 64;
/**
 * Messages of livekit-client used in our rooms; the rest is for server tests, data and sound. Only the relay
 * itself sends permissions for subscribers of a camera.
 */
const PASSED_ON: ReadonlySet<SignalRequest['message']['case']> = new Set([
  'offer',
  'answer',
  'trickle',
  'addTrack',
  'mute',
  'trackSetting',
  'subscription',
  'syncState',
  'ping',
  'pingReq',
  'leave',
]);

/** A client's upgrade with a checked token, and its target. */
interface CheckedUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly url: URL;
  readonly authorization: string;
}

/** Session descriptions are long and repetitive: compression saves nine tenths of them. */
const clients = new WebSocketServer({
  noServer: true,
  maxPayload: MESSAGE_MAX_BYTES,
  // Each is decompressed on its own, and none but the last is counted.
  maxFragments: 128,
  maxBufferedChunks: 1_024,
  perMessageDeflate: { serverNoContextTakeover: true, clientNoContextTakeover: true },
});

/**
 * Connects a client with the media server and relays their messages. A forbidden request to publish goes to
 * `onFault` instead, which never rejects, and then the connection ends: the media server would accept the
 * request, ignore a track for which it has no codec, and report nothing.
 * @returns when the media server has accepted or refused the connection, or the client has gone.
 */
export function relaySignalling(
  { request, socket, head, url, authorization }: CheckedUpgrade,
  filter: PairFilter,
  onFault: (fault: TrackFault) => Promise<void>,
): Promise<void> {
  if (!socket.readable) {
    socket.destroy();
    return Promise.resolve();
  }
  const server = new WebSocket(url, {
    headers: { authorization, 'user-agent': request.headers['user-agent'] ?? '' },
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
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
      clients.handleUpgrade(request, socket, head, (client) =>
        join(client, server, filter, onFault),
      );
      resolve();
    });
  });
}

function join(
  client: WebSocket,
  server: WebSocket,
  filter: PairFilter,
  onFault: (fault: TrackFault) => Promise<void>,
): void {
  const { perSecond, burst, perMessage, perField } = signallingBytes;
  const budget = new TokenBucket(perSecond, burst, performance.now());
  let candidates = 0;
  filter.attach({
    toClient: (message) => send(client, message),
    toServer: (message) => send(server, message),
  });
  /** Counts a message, ping or pong; returns whether the client may send it. */
  const spend = (data: Buffer, fields = 0): boolean => {
    const cost = perMessage + data.byteLength + perField * fields;
    if (budget.take(cost, performance.now())) return true;
    // Not closed: until a client answers a close, its messages are still read.
    client.terminate();
    return false;
  };
  client.on('ping', (data) => spend(data));
  client.on('pong', (data) => spend(data));
  client.on('message', (data, isBinary) => {
    const fields = countFields(data as Buffer, FIELDS_MAX);
    if (!spend(data as Buffer, fields)) return;
    const signal = isBinary && fields <= FIELDS_MAX ? parse(data as Buffer) : null;
    const isTooLong =
      (data as Buffer).byteLength > SHORT_MESSAGE_MAX_BYTES && !LONG.has(signal?.message.case);
    const isReadable =
      signal !== null && descriptionsOf(signal).every(({ sdp }) => DESCRIPTION.test(sdp));
    if (!isReadable || isTooLong) return client.close(UNSUPPORTED_DATA);
    if (!PASSED_ON.has(signal.message.case)) return;
    const fault = requestFault(signal);
    if (signal.message.case === 'trickle') {
      candidates += 1;
      if (candidates > CANDIDATES_MAX) return;
    }
    removeCandidates(signal);
    // Encoded again, so that the media server reads exactly the checked message.
    if (fault === null) return send(server, signal.toBinary());
    client.removeAllListeners('message');
    void onFault(fault).finally(() => client.terminate());
  });
  server.on('message', (data) => {
    try {
      const visible = filter.visiblePart(data as Buffer);
      if (visible !== null) send(client, visible);
    } catch {
      client.close(UNSUPPORTED_DATA);
    }
  });
  endWhenGone(client);
  for (const [end, other] of [
    [client, server],
    [server, client],
  ] as const) {
    end.on('close', () => other.close());
    end.on('error', () => end.terminate());
  }
}

function endWhenGone(client: WebSocket): void {
  let isPresent = true;
  client.on('pong', () => {
    isPresent = true;
  });
  const pinging = setInterval(() => {
    if (!isPresent) return client.terminate();
    isPresent = false;
    client.ping();
  }, PING_EVERY_MS);
  client.once('close', () => clearInterval(pinging));
}

function send(socket: WebSocket, message: Uint8Array): void {
  socket.send(message);
  if (socket.bufferedAmount > UNREAD_MAX_BYTES) socket.terminate();
}

function parse(data: Buffer): SignalRequest | null {
  try {
    return SignalRequest.fromBinary(data, { readUnknownFields: false });
  } catch {
    return null;
  }
}

/** The session descriptions in a message. */
function descriptionsOf({ message }: SignalRequest): SessionDescription[] {
  if (message.case === 'offer' || message.case === 'answer') return [message.value];
  if (message.case !== 'syncState') return [];
  return [message.value.offer ?? [], message.value.answer ?? []].flat();
}

/** The client's own addresses come in messages of their own, which are counted. */
function removeCandidates(signal: SignalRequest): void {
  for (const description of descriptionsOf(signal)) {
    description.sdp = description.sdp.replace(CANDIDATE_LINES, '');
  }
}

/** The fault of a request to publish; null for a camera and for all other requests. */
function requestFault({ message }: SignalRequest): TrackFault | null {
  if (message.case === 'addTrack') return trackFault([message.value]);
  const isSound = message.case === 'offer' && AUDIO_SECTION.test(message.value.sdp);
  return isSound ? 'notCamera' : null;
}
