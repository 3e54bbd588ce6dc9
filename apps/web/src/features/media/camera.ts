import { type CameraProblem, cameraProblem } from './camera-problem.ts';

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
  /** `isPaused`: the system took the picture away for now (privacy shutter, a phone's lock screen). */
  | { readonly kind: 'on'; readonly track: MediaStreamTrack; readonly isPaused: boolean }
  | { readonly kind: 'failed'; readonly problem: CameraProblem };

/**
 * The one camera of the page. It is opened once (phones lose a camera that is opened twice), by the
 * preview or by the room, whoever comes first, and handed on. Sound is never asked for.
 */
export class Camera {
  #state: CameraState = { kind: 'off' };
  #opening: Promise<CameraState> | null = null;
  readonly #listeners = new Set<() => void>();

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** For `useSyncExternalStore`. */
  readonly getState = (): CameraState => this.#state;

  /** Opens the camera unless it is open already; answers how that ended. Never throws. */
  open(): Promise<CameraState> {
    if (this.#state.kind === 'on') return Promise.resolve(this.#state);
    if (this.#opening !== null) return this.#opening;
    const opening: Promise<CameraState> = this.#ask().then((state) => this.#opened(opening, state));
    this.#opening = opening;
    this.#setState({ kind: 'starting' });
    return opening;
  }

  /** Switches the camera and its light off. */
  close(): void {
    this.#opening = null;
    if (this.#state.kind === 'on') this.#state.track.stop();
    this.#setState({ kind: 'off' });
  }

  /** An open camera stopped giving pictures. */
  #fail(problem: CameraProblem): void {
    if (this.#state.kind === 'on') this.#state.track.stop();
    this.#setState({ kind: 'failed', problem });
  }

  /** Settles an opening; a camera that was closed meanwhile is switched off again. */
  #opened(opening: Promise<CameraState>, state: CameraState): CameraState {
    if (this.#opening !== opening) {
      if (state.kind === 'on') state.track.stop();
      return this.#state;
    }
    this.#opening = null;
    this.#setState(state);
    return state;
  }

  async #ask(): Promise<CameraState> {
    if (!navigator.mediaDevices) return { kind: 'failed', problem: 'insecure' };
    for (let retry = 0; ; retry += 1) {
      try {
        const stream = await navigator.mediaDevices.getUserMedia({
          video: CAMERA_CONSTRAINTS,
          audio: false,
        });
        const [track] = stream.getVideoTracks();
        if (track === undefined) return { kind: 'failed', problem: 'missing' };
        this.#watch(track);
        return { kind: 'on', track, isPaused: false };
      } catch (error) {
        const problem = cameraProblem(error);
        if (problem !== 'inUse' || retry >= IN_USE_RETRIES) return { kind: 'failed', problem };
        await new Promise((resolve) => setTimeout(resolve, IN_USE_RETRY_MS));
      }
    }
  }

  #watch(track: MediaStreamTrack): void {
    const isCurrent = () => this.#state.kind === 'on' && this.#state.track === track;
    // The device went away (pulled out, revoked); `stop()` by us does not come here.
    track.addEventListener('ended', () => isCurrent() && this.#fail('unplugged'));
    for (const event of ['mute', 'unmute']) {
      track.addEventListener(event, () => {
        if (isCurrent()) this.#setState({ kind: 'on', track, isPaused: event === 'mute' });
      });
    }
  }

  #setState(state: CameraState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The page's camera. */
export const camera = new Camera();
