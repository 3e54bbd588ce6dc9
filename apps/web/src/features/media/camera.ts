import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';
import { chosenCameraId, rememberCamera } from './camera-devices.ts';
import type { CameraEffect } from './camera-effect.ts';
import { type BlurProblem, type CameraProblem, cameraProblem } from './camera-problem.ts';
import { watchForCamera } from './camera-watch.ts';
import { cameraPicture, type Picture } from './video-picture.tsx';

/**
 * Camera constraints (design §6): tiles are small, so larger pictures would be waste. All are `ideal`, so
 * that any camera works.
 */
export const CAMERA_CONSTRAINTS: MediaTrackConstraints = {
  width: { ideal: 640 },
  height: { ideal: 360 },
  frameRate: { ideal: 15 },
};

/** Frames a second while data is saved: learners hardly move. */
const FEW_FRAMES: MediaTrackConstraints = { frameRate: { ideal: 8, max: 8 } };

/** Time limit for an effect's first picture; its download is 1.7 MB. */
const EFFECT_START_LIMIT_MS = 30_000;

/** Windows gives a camera to one tab only; the previous tab needs a moment to release it. */
const IN_USE_RETRIES = 2;
const IN_USE_RETRY_MS = 700;

export type CameraState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'on';
      /** The track that is shown and sent. */
      readonly track: MediaStreamTrack;
      readonly picture: Picture;
      /** The id of its device. */
      readonly deviceId?: string | undefined;
      /** The system withholds the picture for now (privacy shutter, a phone's lock screen). */
      readonly isPaused: boolean;
      /** Whether the room may see it: false while it is open for a preview only. */
      readonly isShared: boolean;
    }
  | { readonly kind: 'failed'; readonly problem: CameraProblem | BlurProblem };

/**
 * The page's one camera, as a pipeline: device → effect → track. It is open while the preview or the room
 * holds it and the learner has not turned it off, and is opened once (phones lose a camera that is opened
 * twice). Sound is never requested.
 */
export class Camera {
  readonly store = createStore<CameraState>(() => ({ kind: 'off' }));
  readonly #holds = new Set<{ readonly isPreview: boolean }>();
  #isTurnedOff = false;
  #lostLabel = '';
  #effect: CameraEffect | null = null;
  #opening: Promise<CameraState> | null = null;
  #device: MediaStreamTrack | null = null;
  #takesFewFrames = false;
  /** Stops the device and its effect. */
  #stopPicture = () => {};
  #stopWatching = () => {};

  /**
   * Keeps the camera open until the returned function is called: while it is not turned off, for a preview
   * even then.
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

  /** Switches the camera and its light off, also for later holders, or on again with the same device. */
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

  /** Opens the camera unless it is open; resolves to the result and never throws. */
  open(): Promise<CameraState> {
    const state = this.store.getState();
    if (state.kind === 'on' || !this.#isWanted) return Promise.resolve(state);
    return this.#opening ?? this.#reopen();
  }

  /** The name of the camera that was unplugged last. */
  get lostLabel(): string {
    return this.#lostLabel;
  }

  /** Uses another device from now on, also after a reload. */
  choose({ deviceId, label }: Pick<MediaDeviceInfo, 'deviceId' | 'label'>): void {
    rememberCamera({ id: deviceId, label });
    this.#restart();
  }

  /** Sets the effect: no picture until it works; null: the device's unchanged picture. */
  setEffect(effect: CameraEffect | null): void {
    this.#effect = effect;
    this.#restart();
  }

  /** Takes fewer frames from now on, or as many as before; the picture continues. */
  takeFewFrames(isFew: boolean): void {
    if (this.#takesFewFrames === isFew) return;
    this.#takesFewFrames = isFew;
    this.#setFrameRate();
  }

  #setFrameRate(): void {
    const device = this.#device;
    const { frameRate } = this.#takesFewFrames ? FEW_FRAMES : CAMERA_CONSTRAINTS;
    // The other constraints may belong to an effect. A camera that cannot change continues unchanged.
    device?.applyConstraints({ ...device.getConstraints(), frameRate }).catch(() => undefined);
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

  /** Finishes an opening; a camera that was closed meanwhile is switched off again. */
  async #opened(
    opening: Promise<CameraState>,
    opened: MediaStreamTrack | CameraProblem,
  ): Promise<CameraState> {
    const isWanted = this.#opening === opening;
    if (typeof opened !== 'string') {
      if (isWanted) await this.#show(opened);
      else opened.stop();
    } else if (isWanted) this.#fail(opened);
    return this.store.getState();
  }

  async #ask(): Promise<MediaStreamTrack | CameraProblem> {
    if (!navigator.mediaDevices) return window.isSecureContext ? 'unsupported' : 'insecure';
    const chosenId = await chosenCameraId();
    for (let retry = 0; ; retry += 1) {
      try {
        const stream = await navigator.mediaDevices.getUserMedia({
          video: { ...CAMERA_CONSTRAINTS, ...(chosenId && { deviceId: { ideal: chosenId } }) },
          audio: false,
        });
        return stream.getVideoTracks()[0] ?? 'missing';
      } catch (error) {
        const problem = await cameraProblem(error);
        if (problem !== 'inUse' || retry >= IN_USE_RETRIES) return problem;
        await new Promise((resolve) => setTimeout(resolve, IN_USE_RETRY_MS));
      }
    }
  }

  async #show(device: MediaStreamTrack): Promise<void> {
    this.#device = device;
    if (this.#takesFewFrames) this.#setFrameRate();
    const ending = new AbortController();
    const { signal } = ending;
    this.#stopPicture = () => {
      this.#device = null;
      ending.abort();
      device.stop();
    };
    const fail = (problem: CameraProblem | BlurProblem) => {
      if (signal.aborted) return;
      this.#stopPicture();
      this.#fail(problem);
    };
    const unplugged = () => {
      this.#lostLabel = device.label;
      fail('unplugged');
    };
    // The device is gone (unplugged, revoked).
    device.addEventListener('ended', unplugged, { signal });
    let track = device;
    if (this.#effect !== null) {
      const late = Promise.withResolvers<never>();
      const limit = setTimeout(late.reject, EFFECT_START_LIMIT_MS);
      try {
        const effect = this.#effect(device, { signal, onFailed: fail });
        track = await Promise.race([effect, late.promise]);
      } catch {
        fail('blurFailed');
      }
      clearTimeout(limit);
    }
    if (signal.aborted) return;
    this.#opening = null;
    const picture = cameraPicture(track);
    const { deviceId } = device.getSettings();
    let isMuted = false;
    const show = () => {
      const isPaused = isMuted || isBehindPhone();
      // The media library disables the track of a hidden page on a phone and never enables it again.
      if (!isPaused) track.enabled = true;
      this.#set({ kind: 'on', track, picture, deviceId, isPaused, isShared: !this.#isTurnedOff });
    };
    const mute = ({ type }: Event) => {
      isMuted = type === 'mute';
      show();
    };
    device.addEventListener('mute', mute, { signal });
    device.addEventListener('unmute', mute, { signal });
    document.addEventListener('visibilitychange', show, { signal });
    show();
  }

  #fail(problem: CameraProblem | BlurProblem): void {
    this.#opening = null;
    this.#set({ kind: 'failed', problem });
  }

  #set(state: CameraState): void {
    this.store.setState(state, true);
  }
}

/** A locked phone, or one showing something else, gives no camera picture to a hidden page. */
function isBehindPhone(): boolean {
  return document.visibilityState === 'hidden' && isPhone();
}

/** Phones and tablets, by the rule of the media library. */
function isPhone(): boolean {
  const { userAgentData, userAgent } = navigator as Navigator & {
    readonly userAgentData?: { readonly mobile: boolean };
  };
  return userAgentData?.mobile ?? /Tablet|iPad|Mobile|Android/u.test(userAgent);
}

/** The page's camera. */
export const camera = new Camera();

/** Downloaded when the learner wants it. */
const blur: CameraEffect = async (...device) =>
  (await import('./blur/blur-background.ts')).blurBackground(...device);

const blurStore = createStore(() => ({ isWanted: readStored(storageKeys.blur) !== null }));

/** Whether the learner wants their background blurred, in this browser. */
export const isBlurWanted = (): boolean => blurStore.getState().isWanted;

/** Turns the background blur on or off, also after a reload. */
export function setBlurWanted(isWanted: boolean): void {
  writeStored(storageKeys.blur, isWanted ? 'on' : null);
  blurStore.setState({ isWanted });
  camera.setEffect(isWanted ? blur : null);
}
if (isBlurWanted()) camera.setEffect(blur);

/** `isBlurWanted`, as reactive state. */
export const useBlurWanted = (): boolean => useStore(blurStore).isWanted;

/** The state of the page's camera. */
export const useCamera = (): CameraState => useStore(camera.store);
