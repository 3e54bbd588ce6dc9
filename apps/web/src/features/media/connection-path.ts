import {
  AddTrackRequest,
  type ICEServer,
  type JoinResponse,
  LeaveRequest,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  SignalTarget,
  TrackSource,
  TrackType,
  TrickleRequest,
  VideoLayer,
  VideoQuality,
} from '@livekit/protocol';

/** Time limit for the media server's answer and for a path to connect (specification §7). */
const SIGNAL_TIMEOUT_MS = 15_000;
const PICTURE = { width: 320, height: 180, fps: 8, bitsPerSecond: 37_000 } as const;
const PROTOCOL = 'protocol=16&sdk=js&auto_subscribe=0';

/** How pictures reach the media server: directly over UDP or TCP, or through a TURN server. */
export type MediaPath = 'udp' | 'tcp' | 'turn';

/** Measurements of a path; null where the browser gives none. */
export interface PathQuality {
  readonly connectedMs: number;
  readonly roundTripMs: number | null;
  /** Share of lost packets, 0 to 1. */
  readonly loss: number | null;
}

/** A signalling connection to an otherwise empty room. */
export class TestSignalling {
  readonly #socket: WebSocket;
  readonly #listeners = new Set<(message: SignalResponse['message']) => void>();
  readonly #failed = Promise.withResolvers<never>();
  readonly join: JoinResponse;

  private constructor(socket: WebSocket, join: JoinResponse) {
    this.#socket = socket;
    this.join = join;
    // Each step of the check awaits it; between two steps nothing does.
    this.#failed.promise.catch(() => undefined);
    socket.onmessage = ({ data }) => {
      const { message } = SignalResponse.fromBinary(new Uint8Array(data as ArrayBuffer));
      for (const listener of this.#listeners) listener(message);
    };
    socket.onclose = () => this.#failed.reject(new Error('the media server hung up'));
  }

  /** Rejects when the media server does not admit the client within SIGNAL_TIMEOUT_MS. */
  static async open(address: string, token: string): Promise<TestSignalling> {
    const socket = new WebSocket(`${address}/rtc?${PROTOCOL}&access_token=${token}`);
    socket.binaryType = 'arraybuffer';
    const { promise, resolve, reject } = Promise.withResolvers<JoinResponse>();
    socket.onclose = ({ code }) => reject(new Error(`closed with ${code}`));
    socket.onmessage = ({ data }) => {
      const { message } = SignalResponse.fromBinary(new Uint8Array(data as ArrayBuffer));
      if (message.case === 'join') resolve(message.value);
    };
    try {
      return new TestSignalling(socket, await within(SIGNAL_TIMEOUT_MS, promise));
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  on(listener: (message: SignalResponse['message']) => void): void {
    this.#listeners.add(listener);
  }

  send(message: SignalRequest['message']): void {
    this.#socket.send(new Uint8Array(new SignalRequest({ message }).toBinary()));
  }

  /** Rejects when the connection ends. */
  get ended(): Promise<never> {
    return this.#failed.promise;
  }

  close(): void {
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.send({ case: 'leave', value: new LeaveRequest() });
    }
    this.#socket.close();
  }
}

/** Whether the media server offers browsers a TURN server. */
export const hasTurn = ({ iceServers }: Pick<JoinResponse, 'iceServers'>): boolean =>
  iceServers.some(({ urls }) => urls.some((url) => url.startsWith('turn')));

/**
 * Publishes a drawn picture over exactly one path for a while. Rejects when the path does not connect within
 * SIGNAL_TIMEOUT_MS, or the browser rejects the media server's answer. `onServer` is called with the IP
 * addresses that the media server named for this path.
 */
export async function tryPath(
  signalling: TestSignalling,
  path: MediaPath,
  measureMs: number,
  onServer: (addresses: readonly string[]) => void,
): Promise<PathQuality> {
  const startedMs = performance.now();
  const connection = new RTCPeerConnection(configurationOf(path, signalling.join));
  const picture = drawPicture();
  try {
    await within(SIGNAL_TIMEOUT_MS, publish(signalling, connection, path, picture.track));
    const connectedMs = performance.now() - startedMs;
    await Promise.race([new Promise((done) => setTimeout(done, measureMs)), signalling.ended]);
    return { connectedMs, ...(await qualityOf(connection)) };
  } finally {
    onServer(addressesIn(connection.remoteDescription?.sdp ?? ''));
    picture.stop();
    connection.close();
  }
}

/** Resolves when the picture reaches the media server; rejects when the browser refuses a step. */
async function publish(
  signalling: TestSignalling,
  connection: RTCPeerConnection,
  path: MediaPath,
  track: MediaStreamTrack,
): Promise<void> {
  const connected = Promise.withResolvers<void>();
  connection.onconnectionstatechange = () => {
    if (connection.connectionState === 'connected') connected.resolve();
    if (connection.connectionState === 'failed') connected.reject(new Error('no path stands'));
  };
  connection.onicecandidate = ({ candidate }) => {
    if (!candidate) return;
    const candidateInit = JSON.stringify(candidate.toJSON());
    const value = new TrickleRequest({ candidateInit, target: SignalTarget.PUBLISHER });
    signalling.send({ case: 'trickle', value });
  };
  connection.addTransceiver(track, {
    direction: 'sendonly',
    sendEncodings: [{ maxBitrate: PICTURE.bitsPerSecond }],
  });
  const answered = Promise.withResolvers<void>();
  const answer = async (message: SignalResponse['message']) => {
    if (message.case === 'trackPublished') {
      await connection.setLocalDescription();
      const { type, sdp } = connection.localDescription ?? {};
      signalling.send({ case: 'offer', value: new SessionDescription({ type, sdp }) });
    } else if (message.case === 'answer') {
      const sdp = onlyPath(message.value.sdp, path);
      await connection.setRemoteDescription({ type: 'answer', sdp });
      answered.resolve();
    } else if (message.case === 'trickle' && message.value.target === SignalTarget.PUBLISHER) {
      await answered.promise;
      const candidate: RTCIceCandidateInit = JSON.parse(message.value.candidateInit);
      if (isOfPath(candidate.candidate ?? '', path)) await connection.addIceCandidate(candidate);
    }
  };
  signalling.on((message) => void answer(message).catch(connected.reject));
  const { width, height, bitsPerSecond: bitrate } = PICTURE;
  const value = new AddTrackRequest({
    ...{ cid: track.id, type: TrackType.VIDEO, source: TrackSource.CAMERA, width, height },
    layers: [new VideoLayer({ quality: VideoQuality.HIGH, width, height, bitrate })],
  });
  signalling.send({ case: 'addTrack', value });
  await Promise.race([connected.promise, signalling.ended]);
}

/** With a TURN server configured, a browser would use it on any path. */
const configurationOf = (path: MediaPath, { iceServers }: JoinResponse): RTCConfiguration =>
  path === 'turn'
    ? { iceServers: iceServers.map(asIceServer), iceTransportPolicy: 'relay' }
    : { iceServers: [], iceTransportPolicy: 'all' };

const asIceServer = ({ urls, username, credential }: ICEServer): RTCIceServer => ({
  urls,
  username,
  credential,
});

/** Whether an ICE candidate of the media server belongs to a path; a TURN server reaches it over UDP. */
export function isOfPath(candidate: string, path: MediaPath): boolean {
  const [, transport] = /^candidate:\S+ \d+ (\w+) /iu.exec(candidate) ?? [];
  return transport?.toLowerCase() === (path === 'tcp' ? 'tcp' : 'udp');
}

/** The session description without the candidates of other paths. */
export function onlyPath(sdp: string, path: MediaPath): string {
  return sdp
    .split('\r\n')
    .filter((line) => !line.startsWith('a=candidate:') || isOfPath(line.slice(2), path))
    .join('\r\n');
}

/** The addresses of the ICE candidates in a description (RFC 8839 §5.1). */
const addressesIn = (sdp: string): string[] =>
  Array.from(
    sdp.matchAll(/^a=candidate:\S+ \d+ \w+ \d+ (\S+) /gimu),
    ([, address = '']) => address,
  );

async function qualityOf(connection: RTCPeerConnection) {
  let roundTripMs: number | null = null;
  let sent = 0;
  let lost: number | null = null;
  for (const stats of (await connection.getStats()).values()) {
    if (stats.type === 'candidate-pair' && stats.nominated && stats.responsesReceived > 0) {
      roundTripMs = (stats.totalRoundTripTime / stats.responsesReceived) * 1_000;
    }
    if (stats.type === 'outbound-rtp') sent += stats.packetsSent;
    if (stats.type === 'remote-inbound-rtp') lost = Math.max(0, stats.packetsLost);
  }
  return { roundTripMs, loss: lost === null || sent === 0 ? null : lost / sent };
}

/** A moving picture without a camera. */
function drawPicture() {
  const canvas = document.createElement('canvas');
  canvas.width = PICTURE.width;
  canvas.height = PICTURE.height;
  const pen = canvas.getContext('2d');
  let hue = 0;
  const timer = setInterval(() => {
    hue = (hue + 7) % 360;
    if (!pen) return;
    pen.fillStyle = `hsl(${hue} 50% 50%)`;
    pen.fillRect(0, 0, canvas.width, canvas.height);
  }, 1_000 / PICTURE.fps);
  const [track] = canvas.captureStream(PICTURE.fps).getVideoTracks();
  if (!track) throw new Error('this browser draws no picture');
  return {
    track,
    stop: () => {
      clearInterval(timer);
      track.stop();
    },
  };
}

/** Rejects when the work takes longer than `ms`. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('timeout')), ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
