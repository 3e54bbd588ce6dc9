import {
  DefaultReconnectPolicy,
  getLogger,
  LoggerNames,
  LogLevel,
  type ReconnectPolicy,
  type RoomConnectOptions,
  type RoomOptions,
  VideoPreset,
} from 'livekit-client';
import { firstRetryMs } from './room-state.ts';

// Otherwise the library logs every step of a connection, and at every joining an error for the data channels, which
// our server closes (design §6). Whatever ends a connection is an event of the room. Its other loggers take this
// level when they are made; not persisted, unlike with its `setLogLevel`.
getLogger(LoggerNames.Default).setLevel(LogLevel.silent, false);

/** The large picture: for an enlarged tile, or in a room of a few (design §6). */
const LARGE = new VideoPreset(640, 360, 350_000, 15);
/** The small picture: 19 of these stay below 0.8 Mbit/s, heads included (decision 076). */
const SMALL = new VideoPreset(320, 180, 37_000, 8);

/**
 * Device pixels requested per CSS pixel, on any screen. The media server sends the small picture to tiles of
 * up to 200 pixels in height: with this density up to 285 CSS pixels, 508 in width. That covers the grids of
 * five and four columns; enlarged tiles and the tiles of a few get the large picture. On a dense screen the
 * small picture looks soft in a tile, but a studying person can still be seen.
 */
const PIXELS_PER_CSS_PIXEL = 0.7;

/** With this the library opens no audio output for each connection: there is no sound. */
const NO_SOUND = { state: 'closed' } as AudioContext;

const libraryPolicy = new DefaultReconnectPolicy();

/** The library's first retry comes within 0.5 s: a full room would reach a restarted server all at once. */
export const reconnectPolicy: ReconnectPolicy = {
  nextRetryDelayInMs: (context) =>
    context.retryCount === 0 ? firstRetryMs() : libraryPolicy.nextRetryDelayInMs(context),
};

/**
 * How a camera is sent and received (design §6): in two sizes, and only the size that a visible tile needs is
 * sent and downloaded. The page's own camera keeps its track (`Camera`). Each direction has its own
 * connection: over a single one the library offers sound as well, and a server that accepts video only
 * (design §6) closes it as broken.
 */
export const roomOptions: RoomOptions = {
  adaptiveStream: { pixelDensity: PIXELS_PER_CSS_PIXEL },
  dynacast: true,
  stopLocalTrackOnUnpublish: false,
  singlePeerConnection: false,
  webAudioMix: { audioContext: NO_SOUND },
  reconnectPolicy,
  publishDefaults: {
    videoCodec: 'vp8',
    simulcast: true,
    videoEncoding: LARGE.encoding,
    videoSimulcastLayers: [SMALL],
  },
};

/** Only chosen tracks are downloaded: a published sound would never arrive (design §6). */
export const connectOptions: RoomConnectOptions = {
  autoSubscribe: false,
  // Pictures and data channels would otherwise each search a route to the server.
  rtcConfig: { bundlePolicy: 'max-bundle' },
};
