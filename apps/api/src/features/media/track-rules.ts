import { isCameraTooLarge } from '@mogakgong/contract';
import { type TrackInfo, TrackSource, TrackType } from 'livekit-server-sdk';

/** Sizes of one picture that a track may name; the media server repeats them at each change. Ours have two. */
const LAYERS_MAX = 4;
/** The track itself, and its codecs as requested and as published: ours have one or two. */
const CODECS_MAX = 5;
/** Maximum bit rate of one size of a picture, as its publisher declares it. */
const BITS_PER_SECOND_MAX = 1_500_000;

/** The fault of a participant's tracks; null for one camera of an allowed size. */
export type TrackFault = 'notCamera' | 'tooLarge' | 'tooMany';

/** A track, published or requested; sizes may stand with its codecs as well. */
type Track = Pick<TrackInfo, 'type' | 'source' | 'width' | 'height' | 'layers'> & {
  readonly codecs?: readonly Pick<TrackInfo, 'layers'>[];
  readonly simulcastCodecs?: readonly Pick<TrackInfo, 'layers'>[];
};

/**
 * The fault of the tracks that one participant publishes or asks to publish (design §6, third lock on sound).
 */
export function trackFault(tracks: readonly Track[]): TrackFault | null {
  for (const track of tracks) {
    const { type, source, codecs = [], simulcastCodecs = [] } = track;
    if (type !== TrackType.VIDEO || source !== TrackSource.CAMERA) return 'notCamera';
    const named = [track, ...codecs, ...simulcastCodecs];
    const layers = named.flatMap((each) => each.layers);
    const isMany =
      named.length > CODECS_MAX || named.some((each) => each.layers.length > LAYERS_MAX);
    const isFast = layers.some(({ bitrate }) => bitrate > BITS_PER_SECOND_MAX);
    if (isFast || isMany || [track, ...layers].some(isCameraTooLarge)) return 'tooLarge';
  }
  return tracks.length > 1 ? 'tooMany' : null;
}
