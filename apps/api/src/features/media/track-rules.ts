import { isCameraTooLarge } from '@mogakgong/contract';
import { type TrackInfo, TrackSource, TrackType } from 'livekit-server-sdk';

/** Sizes of one picture that a track may name; the media server repeats them at each change. Ours have two. */
const LAYERS_MAX = 4;
/** Maximum bit rate of one size of a picture, as its publisher declares it. */
const BITS_PER_SECOND_MAX = 1_500_000;

/** The fault of a participant's tracks; null for one camera of an allowed size. */
export type TrackFault = 'notCamera' | 'tooLarge' | 'tooMany';

/** A track, published or requested. */
type Track = Pick<TrackInfo, 'type' | 'source' | 'width' | 'height' | 'layers'>;

/**
 * The fault of the tracks that one participant publishes or asks to publish (design §6, third lock on sound).
 */
export function trackFault(tracks: readonly Track[]): TrackFault | null {
  for (const track of tracks) {
    const { type, source, layers } = track;
    if (type !== TrackType.VIDEO || source !== TrackSource.CAMERA) return 'notCamera';
    const isFast = layers.some(({ bitrate }) => bitrate > BITS_PER_SECOND_MAX);
    if (isFast || layers.length > LAYERS_MAX || [track, ...layers].some(isCameraTooLarge))
      return 'tooLarge';
  }
  return tracks.length > 1 ? 'tooMany' : null;
}
