import {
  getLogger,
  LoggerNames,
  LogLevel,
  type RoomConnectOptions,
  type RoomOptions,
  VideoPreset,
} from 'livekit-client';
import { leaveOutClosedChannels } from './media-log.ts';

// The library tells every step of a connection otherwise. Not persisted, unlike its `setLogLevel`.
getLogger(LoggerNames.Default).setLevel(LogLevel.warn, false);
leaveOutClosedChannels(getLogger(LoggerNames.Engine));

/** The large picture: one tile alone, or a few (design §6). */
const LARGE = new VideoPreset(640, 360, 350_000, 15);
/** The small picture: 19 of these stay below the 2 Mbit/s that a full room may cost (design §8). */
const SMALL = new VideoPreset(320, 180, 90_000, 15);

/**
 * How a camera is sent and received (design §6): two sizes, and only what somebody looks at is sent
 * and downloaded, in the size of the tile. The page's own camera keeps its track (`Camera`).
 * One connection a direction: over a single one the library offers sound as well, and a server that
 * takes video only (design §6) gives it up as broken.
 */
export const roomOptions: RoomOptions = {
  adaptiveStream: true,
  dynacast: true,
  stopLocalTrackOnUnpublish: false,
  singlePeerConnection: false,
  publishDefaults: {
    videoCodec: 'vp8',
    simulcast: true,
    videoEncoding: LARGE.encoding,
    videoSimulcastLayers: [SMALL],
  },
};

/** Nothing is downloaded that was not chosen: a published sound would never arrive (design §6). */
export const connectOptions: RoomConnectOptions = { autoSubscribe: false };
