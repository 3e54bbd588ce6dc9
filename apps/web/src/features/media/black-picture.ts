import type { Camera } from './camera.ts';

/** The picture is reduced to so few pixels that the noise of a dark sensor averages out. */
const SAMPLE_WIDTH = 16;
const SAMPLE_HEIGHT = 9;
const SAMPLE_EVERY_MS = 4_000;
/** A hand passing the lens is not a covered camera. */
const BLACK_SAMPLES = 2;
/**
 * A picture is black if the mean and the standard deviation of its brightness (BT.709, of 255) stay below
 * these. A covered lens gives 0 to 12, nearly uniform; a dark room with a lamp or a screen is as dark on
 * average, but less uniform. In doubt the picture is not black.
 */
const BLACK_MEAN_MAX = 16;
const BLACK_DEVIATION_MAX = 4;

/** Whether a picture is black, as that of a covered lens. @param rgba four bytes a pixel. */
export function isBlackPicture(rgba: ArrayLike<number>): boolean {
  const pixels = rgba.length / 4;
  let [sum, sumOfSquares] = [0, 0];
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [rgba[at], rgba[at + 1], rgba[at + 2]];
    const brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    sum += brightness;
    sumOfSquares += brightness * brightness;
  }
  const mean = sum / pixels;
  const deviation = Math.sqrt(Math.max(0, sumOfSquares / pixels - mean * mean));
  return mean <= BLACK_MEAN_MAX && deviation <= BLACK_DEVIATION_MAX;
}

/**
 * Measures the learner's own picture in their browser every few seconds; the picture leaves it nowhere. A
 * picture that cannot be measured, such as one frozen in a hidden tab, is not black.
 * @param report receives the first finding and every change; returns false to be called again.
 * @returns a cleanup function.
 */
export function watchForBlack(
  camera: Camera,
  report: (isBlack: boolean) => Promise<boolean>,
): () => void {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [SAMPLE_WIDTH, SAMPLE_HEIGHT];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context) context.imageSmoothingQuality = 'high';
  let shownTrack: MediaStreamTrack | null = null;
  let lastFrameSeconds = 0;
  let blackSamples = 0;
  let reported: boolean | null = null;

  /** Whether the newest frame is black; false where there is none. */
  function isFrameBlack(): boolean {
    const isNew = video.currentTime !== lastFrameSeconds;
    lastFrameSeconds = video.currentTime;
    if (!context || !isNew || video.readyState < video.HAVE_CURRENT_DATA) return false;
    context.drawImage(video, 0, 0, SAMPLE_WIDTH, SAMPLE_HEIGHT);
    return isBlackPicture(context.getImageData(0, 0, SAMPLE_WIDTH, SAMPLE_HEIGHT).data);
  }

  async function sample(): Promise<void> {
    const state = camera.store.getState();
    const track = state.kind === 'on' ? state.track : null;
    if (track !== shownTrack) {
      shownTrack = track;
      blackSamples = 0;
      video.srcObject = track && new MediaStream([track]);
      // An element outside the page does not start by itself; where it may not play, no frame is black.
      if (track) video.play().catch(() => undefined);
      // The next sample finds a frame of it.
      return;
    }
    // The media server detects a camera that is off.
    if (state.kind !== 'on') return;
    // The system gives no picture, for example through a privacy key.
    blackSamples = state.isPaused || isFrameBlack() ? blackSamples + 1 : 0;
    const isBlack = blackSamples >= BLACK_SAMPLES;
    if (blackSamples > 0 && !isBlack) return;
    if (isBlack !== reported && (await report(isBlack))) reported = isBlack;
  }

  const timer = setInterval(() => void sample(), SAMPLE_EVERY_MS);
  return () => {
    clearInterval(timer);
    video.srcObject = null;
  };
}
