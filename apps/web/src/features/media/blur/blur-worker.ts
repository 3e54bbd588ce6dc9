import { blurComposer } from './blur-composer.ts';
import { startPersonSegmenter } from './person-segmenter.ts';

/** The camera's frames, and the output for blurred ones. */
export interface BlurStreams {
  readonly frames: ReadableStream<VideoFrame>;
  readonly blurred: WritableStream<VideoFrame>;
}
/** `ready` with the first blurred frame; then at most one of the others, after which nothing follows. */
export type BlurReport = 'ready' | 'failed' | 'slow';

/** Cameras may deliver more than requested. */
const MAX_FRAMES_PER_SECOND = 16;
/** Slower frames are dropped one by one; at this time a frame the picture stutters. */
const SLOW_FRAME_MS = 200;
/** Only lasting slowness counts. */
const SLOW_AFTER_MS = 10_000;

self.onmessage = ({ data }: MessageEvent<BlurStreams>) => {
  blurFrames(data).catch(() => report('failed'));
};

function report(what: BlurReport): void {
  self.postMessage(what);
}

/** Blurs frame by frame until the stream ends. Every frame is closed, and none leaves unblurred. */
async function blurFrames({ frames, blurred }: BlurStreams): Promise<void> {
  const segmenter = await startPersonSegmenter();
  const compose = blurComposer();
  const reader = frames.getReader();
  const writer = blurred.getWriter();
  let isFirst = true;
  let lastMs = Number.NEGATIVE_INFINITY;
  let slowSinceMs: number | null = null;
  for (;;) {
    const { done, value: frame } = await reader.read();
    if (done) return;
    try {
      const startMs = performance.now();
      if (startMs - lastMs < 1_000 / MAX_FRAMES_PER_SECOND) continue;
      lastMs = startMs;
      await writer.write(compose(frame, segmenter.segment(frame)));
      const endMs = performance.now();
      if (isFirst) report('ready');
      else if (endMs - startMs < SLOW_FRAME_MS) slowSinceMs = null;
      else slowSinceMs ??= startMs;
      isFirst = false;
      if (slowSinceMs !== null && endMs - slowSinceMs > SLOW_AFTER_MS) return report('slow');
    } finally {
      frame.close();
    }
  }
}
