import type { CameraEffect } from '../camera-effect.ts';
import type { BlurReport, BlurStreams } from './blur-worker.ts';

// A Chromium API that TypeScript does not know.
declare const MediaStreamTrackProcessor: new (options: {
  readonly track: MediaStreamTrack;
  readonly maxBufferSize: number;
}) => { readonly readable: ReadableStream<VideoFrame> };
declare const MediaStreamTrackGenerator: new (options: {
  readonly kind: 'video';
}) => MediaStreamTrack & { readonly writable: WritableStream<VideoFrame> };

/** Some systems blur by themselves, in hardware. */
interface BlurringDevice {
  getCapabilities?(): { readonly backgroundBlur?: readonly boolean[] };
  getSettings(): { readonly backgroundBlur?: boolean };
  applyConstraints(wanted: { readonly backgroundBlur: { readonly exact: true } }): Promise<void>;
}

/**
 * The camera's picture with everything but the person blurred: by the camera itself where it can, else by a
 * model in a worker (decision 082). Before the first blurred frame and after a failure there is no picture:
 * no frame leaves unblurred.
 */
export const blurBackground: CameraEffect = async (device, options) => {
  const isBlurredByDevice = await letDeviceBlur(device, options.signal, () =>
    options.onFailed('blurFailed'),
  );
  return isBlurredByDevice ? device : blurInWorker(device, options);
};

async function letDeviceBlur(
  device: BlurringDevice & EventTarget,
  signal: AbortSignal,
  onFailed: () => void,
): Promise<boolean> {
  if (!device.getCapabilities?.().backgroundBlur?.includes(true)) return false;
  // Only the result counts, checked below.
  await device.applyConstraints({ backgroundBlur: { exact: true } }).catch(() => undefined);
  const isBlurred = () => device.getSettings().backgroundBlur === true;
  // The system has a switch for it, too.
  device.addEventListener('configurationchange', () => isBlurred() || onFailed(), { signal });
  return isBlurred();
}

const blurInWorker: CameraEffect = async (device, { signal, onFailed }) => {
  // Frames are dropped where the worker cannot keep up.
  const { readable: frames } = new MediaStreamTrackProcessor({ track: device, maxBufferSize: 1 });
  const track = new MediaStreamTrackGenerator({ kind: 'video' });
  const { writable: blurred } = track;
  const worker = new Worker(new URL('./blur-worker.ts', import.meta.url), {
    type: 'module',
    name: 'blur',
  });
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => {
    worker.terminate();
    track.stop();
    reject(signal.reason);
  });
  worker.onerror = () => onFailed('blurFailed');
  worker.onmessage = ({ data }: MessageEvent<BlurReport>) => {
    if (data === 'ready') resolve();
    else onFailed(data === 'slow' ? 'blurSlow' : 'blurFailed');
  };
  worker.postMessage({ frames, blurred } satisfies BlurStreams, [frames, blurred]);
  await started;
  return track;
};
