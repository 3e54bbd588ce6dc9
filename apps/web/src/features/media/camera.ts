import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';
import { type CameraProblem, cameraProblem } from './camera-problem.ts';
import { cameraPicture, type Picture } from './video-picture.tsx';

/**
 * What the camera is asked for (design §6): tiles are small, so more would be waste. Everything is a
 * wish, so that any camera will do.
 */
export const CAMERA_CONSTRAINTS: MediaTrackConstraints = {
  width: { ideal: 640 },
  height: { ideal: 360 },
  frameRate: { ideal: 15 },
};

/** Windows gives a camera to one tab only: the tab before needs a moment to let go of it. */
const IN_USE_RETRIES = 2;
const IN_USE_RETRY_MS = 700;

export type CameraState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'on';
      readonly track: MediaStreamTrack;
      readonly picture: Picture;
      /** The system took the picture away for now (privacy shutter, a phone's lock screen). */
      readonly isPaused: boolean;
      /** The room may see it: false while it is open for a preview only. */
      readonly isShared: boolean;
    }
  | { readonly kind: 'failed'; readonly problem: CameraProblem };

/** The picture that is shown and sent, made of the device's; `stop` frees what making it needs. */
export type CameraEffect = (device: MediaStreamTrack) => {
  readonly track: MediaStreamTrack;
  readonly stop: () => void;
};

/**
 * The one camera of the page, as a pipeline: device → effect → track. It is open while the preview or
 * the room holds it and the learner has not turned it off, and is opened once (phones lose a camera
 * that is opened twice). Sound is never asked for.
 */
export class Camera {
  readonly store = createStore<CameraState>(() => ({ kind: 'off' }));
  readonly #holds = new Set<{ readonly isPreview: boolean }>();
  #isTurnedOff = false;
  #effect: CameraEffect | null = null;
  #opening: Promise<CameraState> | null = null;
  /** Stops the device and the effect behind the present track. */
  #stopPicture = () => {};
  #stopWatching = () => {};

  /**
   * Keeps the camera open until the answer is called: while it is not turned off, for a preview also
   * then.
   */
  hold(isPreview = false): () => void {
    const hold = { isPreview };
    this.#holds.add(hold);
    if (this.#holds.size === 1) this.#stopWatching = watchForCamera(this);
    void this.open();
    return () => {
      if (!this.#holds.delete(hold)) return;
      if (this.#holds.size === 0) this.#stopWatching();
      if (!this.#isWanted) this.#close();
    };
  }

  /** Switches the camera and its light off, also for who holds it later, or on again with the same device. */
  turn(isOn: boolean): void {
    this.#isTurnedOff = !isOn;
    const state = this.store.getState();
    if (!this.#isWanted) this.#close();
    else if (state.kind === 'on') this.#set({ ...state, isShared: isOn });
    else void this.open();
  }

  get #isWanted(): boolean {
    return [...this.#holds].some(({ isPreview }) => isPreview || !this.#isTurnedOff);
  }

  /** Opens the camera unless it is open; answers how that ended. Never throws. */
  open(): Promise<CameraState> {
    const state = this.store.getState();
    if (state.kind === 'on' || !this.#isWanted) return Promise.resolve(state);
    return this.#opening ?? this.#reopen();
  }

  /** Takes another device from now on, also after a reload. */
  choose(deviceId: string): void {
    writeStored(storageKeys.camera, deviceId);
    this.#restart();
  }

  /** Changes what is shown and sent; null: the device's picture as it is. */
  setEffect(effect: CameraEffect | null): void {
    this.#effect = effect;
    this.#restart();
  }

  #restart(): void {
    if (!this.#isWanted) return;
    this.#stopPicture();
    void this.#reopen();
  }

  #reopen(): Promise<CameraState> {
    const opening: Promise<CameraState> = this.#ask().then((asked) => this.#opened(opening, asked));
    this.#opening = opening;
    this.#set({ kind: 'starting' });
    return opening;
  }

  #close(): void {
    this.#opening = null;
    this.#stopPicture();
    this.#set({ kind: 'off' });
  }

  /** Settles an opening; a camera that was closed meanwhile is switched off again. */
  #opened(opening: Promise<CameraState>, opened: MediaStreamTrack | CameraProblem): CameraState {
    const isWanted = this.#opening === opening;
    if (isWanted) this.#opening = null;
    if (typeof opened === 'string') {
      if (isWanted) this.#set({ kind: 'failed', problem: opened });
    } else if (isWanted) this.#show(opened);
    else opened.stop();
    return this.store.getState();
  }

  async #ask(): Promise<MediaStreamTrack | CameraProblem> {
    if (!navigator.mediaDevices) return 'insecure';
    const chosenId = readStored(storageKeys.camera);
    for (let retry = 0; ; retry += 1) {
      try {
        const stream = await navigator.mediaDevices.getUserMedia({
          video: { ...CAMERA_CONSTRAINTS, ...(chosenId && { deviceId: { ideal: chosenId } }) },
          audio: false,
        });
        return stream.getVideoTracks()[0] ?? 'missing';
      } catch (error) {
        const problem = cameraProblem(error);
        if (problem !== 'inUse' || retry >= IN_USE_RETRIES) return problem;
        await new Promise((resolve) => setTimeout(resolve, IN_USE_RETRY_MS));
      }
    }
  }

  #show(device: MediaStreamTrack): void {
    const made = this.#effect?.(device);
    const track = made?.track ?? device;
    const picture = cameraPicture(track);
    const stopListening = new AbortController();
    const { signal } = stopListening;
    this.#stopPicture = () => {
      stopListening.abort();
      made?.stop();
      device.stop();
    };
    // The device went away (pulled out, revoked).
    const fail = () => {
      this.#stopPicture();
      this.#set({ kind: 'failed', problem: 'unplugged' });
    };
    device.addEventListener('ended', fail, { signal });
    const show = (isPaused: boolean) =>
      this.#set({ kind: 'on', track, picture, isPaused, isShared: !this.#isTurnedOff });
    device.addEventListener('mute', () => show(true), { signal });
    device.addEventListener('unmute', () => show(false), { signal });
    show(false);
  }

  #set(state: CameraState): void {
    this.store.setState(state, true);
  }
}

/**
 * Tries a failed camera again when something that may have healed it happens: a device was plugged
 * in, the permission changed, the person came back from the system settings. Answers how to stop.
 */
function watchForCamera(camera: Camera): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const retryUnless = (...problems: readonly CameraProblem[]) => {
    const state = camera.store.getState();
    if (state.kind === 'failed' && !problems.includes(state.problem)) void camera.open();
  };
  // Asking again after a refusal would open the browser's question over and over.
  const retryUnlessDenied = () => retryUnless('insecure', 'denied');
  navigator.mediaDevices?.addEventListener?.('devicechange', retryUnlessDenied, { signal });
  window.addEventListener('focus', retryUnlessDenied, { signal });
  navigator.permissions
    ?.query({ name: 'camera' as PermissionName })
    .then((status) => {
      if (signal.aborted) return;
      const retryIfGranted = () => status.state === 'granted' && retryUnless('insecure');
      status.addEventListener('change', retryIfGranted, { signal });
    })
    // Not every browser knows the permission's name: then the other signs have to do.
    .catch(() => undefined);
  return () => stop.abort();
}

/** The page's camera. */
export const camera = new Camera();

/** The page's camera as it is now. */
export const useCamera = (): CameraState => useStore(camera.store);

/** The cameras of this computer; known once one of them is on. */
export function useCameraDevices(): readonly MediaDeviceInfo[] {
  const isOn = useStore(camera.store, ({ kind }) => kind === 'on');
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const media = navigator.mediaDevices;
    const load = async () => {
      const found = (await media?.enumerateDevices?.().catch(() => [])) ?? [];
      if (!stop.signal.aborted) setDevices(found.filter(({ kind }) => kind === 'videoinput'));
    };
    if (isOn) void load();
    media?.addEventListener?.('devicechange', () => void load(), { signal: stop.signal });
    return () => stop.abort();
  }, [isOn]);
  return devices;
}
