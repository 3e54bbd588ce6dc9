import type { CameraEffect } from '../camera-effect.ts';
import type { BlurReport, BlurStreams } from './blur-worker.ts';

// Chromium's, which TypeScript does not know.
declare const MediaStreamTrackProcessor: new (options: {
  readonly track: MediaStreamTrack;
  readonly maxBufferSize: number;
}) => { readonly readable: ReadableStream<VideoFrame> };
declare const MediaStreamTrackGenerator: new (options: {
  readonly kind: 'video';
}) => MediaStreamTrack & { readonly writable: WritableStream<VideoFrame> };

/** Some systems blur by themselves, with chips made for it. */
interface BlurringDevice {
  getCapabilities?(): { readonly backgroundBlur?: readonly boolean[] };
  getSettings(): { readonly backgroundBlur?: boolean };
  applyConstraints(wanted: { readonly backgroundBlur: { readonly exact: true } }): Promise<void>;
}

/**
 * The camera's picture with everything but the person blurred: by the camera itself where it can,
 * else by a model in a worker (decision 082). Until the first blurred frame there is no picture, and
 * after a failure none any more: no frame leaves unblurred.
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
  // What counts is whether the picture is blurred, asked below.
  await device.applyConstraints({ backgroundBlur: { exact: true } }).catch(() => undefined);
  const isBlurred = () => device.getSettings().backgroundBlur === true;
  // The system has a switch for it, too.
  device.addEventListener('configurationchange', () => isBlurred() || onFailed(), { signal });
  return isBlurred();
}

const blurInWorker: CameraEffect = async (device, { signal, onFailed }) => {
  // Old frames are dropped where the worker cannot follow.
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
