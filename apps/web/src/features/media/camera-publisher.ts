import { LocalVideoTrack, type Room, Track, VideoQuality } from 'livekit-client';
import { CAMERA_CONSTRAINTS, type Camera } from './camera.ts';
import { retryDelayMs } from './room-state.ts';
import { savingReason, useSaveData } from './save-data.ts';

type SizeRequests = Parameters<LocalVideoTrack['setPublishingLayers']>[1];

const ALL_SIZES = [VideoQuality.LOW, VideoQuality.MEDIUM, VideoQuality.HIGH].map(
  (quality) => ({ quality, enabled: true }) as SizeRequests[number],
);

/** How a learner's picture is sent: in a break with few frames, while they are away not at all. */
export type Sending = 'whole' | 'slow' | 'withheld';

/** Frames a second in a break: they show that somebody is there. */
const SLOW_FRAMES = 2;
/** The share of its bits that a slow picture may take. Its frames differ more, so each may take more. */
const SLOW_BITS = 0.3;
/**
 * One lower temporal layer is enough for viewers who save data. The three that Chromium has by itself take a third
 * more bits for the same picture (decision 149).
 */
const TEMPORAL_LAYERS = 'L1T2';
/** The types of the DOM do not have it yet, and neither has Firefox, which keeps its own layers. */
type Encoding = RTCRtpEncodingParameters & { scalabilityMode?: string };

/** The camera as it is sent: in the sizes that are requested, or only the small one while data is saved. */
export class SentCamera extends LocalVideoTrack {
  #requested: SizeRequests = ALL_SIZES;
  #isSlow = false;
  /** The limits of each slow size before it was slowed down, by its rid. */
  readonly #whole = new Map<string | undefined, Partial<RTCRtpEncodingParameters>>();

  /** The page owns the camera: the library stops its track when the tab freezes, and never opens it again. */
  override stop(): void {
    this.stopMonitor();
  }

  override async setPublishingLayers(isSvc: boolean, requested: SizeRequests): Promise<void> {
    this.#requested = requested;
    const isSaving = savingReason(useSaveData.getState()) !== null;
    const sent = requested.map((size) => {
      const enabled = size.enabled && (!isSaving || size.quality === VideoQuality.LOW);
      return { quality: size.quality, enabled } as typeof size;
    });
    await super.setPublishingLayers(isSvc, sent);
    await this.#limit();
  }

  /** Sends the requested sizes, limited while data is saved. */
  async followSaving(): Promise<void> {
    await this.setPublishingLayers(false, this.#requested);
  }

  /** Sends few frames from now on, or as many as before. */
  async slowDown(isSlow: boolean): Promise<void> {
    this.#isSlow = isSlow;
    await this.#limit();
  }

  /**
   * Gives each size its temporal layers, and limits those that are sent or takes their limits back. The library
   * limits those that are not sent.
   */
  async #limit(): Promise<void> {
    const parameters = this._sender?.getParameters();
    let isChanged = false;
    for (const encoding of (parameters?.encodings ?? []) as Encoding[]) {
      if (encoding.scalabilityMode !== TEMPORAL_LAYERS) {
        encoding.scalabilityMode = TEMPORAL_LAYERS;
        isChanged = true;
      }
      const { rid, active, maxBitrate = 0, maxFramerate } = encoding;
      // Older browsers know no such limit.
      if (!active || !maxFramerate || this.#isSlow === (maxFramerate === SLOW_FRAMES)) continue;
      if (this.#isSlow) {
        this.#whole.set(rid, { maxBitrate, maxFramerate });
        encoding.maxBitrate = SLOW_BITS * maxBitrate;
        encoding.maxFramerate = SLOW_FRAMES;
      } else {
        Object.assign(encoding, this.#whole.get(rid));
      }
      isChanged = true;
    }
    if (parameters && isChanged) await this._sender?.setParameters(parameters);
  }
}

/**
 * Keeps the room in step with the page's camera: publishes it, replaces the track when a new camera opens,
 * pauses it until then, slows it down in a break, and withdraws it while the camera is off or fails, or the learner
 * is away. A failed step is retried.
 */
export class CameraPublisher {
  readonly #camera: Camera;
  #room: Room | null = null;
  #published: SentCamera | null = null;
  /** Changes run one after the other. */
  #work: Promise<void> = Promise.resolve();
  readonly #onUnseen: (isUnseen: boolean) => void;
  #failures = 0;
  #sending: Sending = 'whole';
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param onUnseen called with whether the room misses the picture it should see. */
  constructor(camera: Camera, onUnseen: (isUnseen: boolean) => void) {
    this.#camera = camera;
    this.#onUnseen = onUnseen;
  }

  /** Publishes into a new connection from now on, or nowhere. */
  switchRoom(room: Room | null): void {
    this.#room = room;
    this.#published = null;
    this.#settle(0);
    this.follow();
  }

  /** A track is no longer published: the media server may have withdrawn it. */
  forget(track: Track | undefined): void {
    if (this.#published === track) this.#published = null;
  }

  /** Data saving has started or ended. */
  followSaving(): void {
    // The connection has just ended or is unchanged; the next change tries again.
    this.#published?.followSaving().catch(() => undefined);
  }

  /** Changes how the picture is sent; the camera stays open. */
  setSending(sending: Sending): void {
    if (sending === this.#sending) return;
    this.#sending = sending;
    this.follow();
  }

  /** Brings the room to the camera's current state. */
  follow(): void {
    this.#work = this.#work.then(async () => {
      const room = this.#room;
      try {
        await this.#bringUpToDate();
        if (room === this.#room) this.#settle(0);
      } catch {
        // The picture ended with its connection; the next connection publishes it again.
        if (room === this.#room) this.#settle(this.#failures + 1);
      }
    });
  }

  #settle(failures: number): void {
    clearTimeout(this.#retryTimer);
    this.#failures = failures;
    this.#onUnseen(failures > 0);
    if (failures > 0)
      this.#retryTimer = setTimeout(() => this.follow(), retryDelayMs(failures - 1));
  }

  async #bringUpToDate(): Promise<void> {
    const room = this.#room;
    const camera = this.#camera.store.getState();
    const published = this.#published;
    if (room === null) return;
    // Without this the others keep the last frame of the old picture: before a blur, a sharp one.
    if (camera.kind === 'starting') return published?.pauseUpstream();
    if (camera.kind !== 'on' || !camera.isShared || this.#sending === 'withheld') {
      if (published !== null) await room.localParticipant.unpublishTrack(published);
      this.#published = null;
    } else if (published === null) {
      // A sanction may keep it off; `follow` is called when it may be on again.
      if (room.localParticipant.permissions?.canPublish === false) return;
      await this.#publish(room, camera.track);
    } else if (published.mediaStreamTrack !== camera.track) {
      await published.replaceTrack(camera.track, true);
    }
    // As with `followSaving`.
    this.#published?.slowDown(this.#sending === 'slow').catch(() => undefined);
    // The others see why there is no picture, instead of a black or frozen one.
    if (camera.kind !== 'on') return;
    await (camera.isPaused ? this.#published?.pauseUpstream() : this.#published?.resumeUpstream());
  }

  async #publish(room: Room, mediaTrack: MediaStreamTrack): Promise<void> {
    const track = new SentCamera(mediaTrack, CAMERA_CONSTRAINTS, true);
    this.#published = track;
    try {
      await room.localParticipant.publishTrack(track, { source: Track.Source.Camera });
      this.followSaving();
    } catch (error) {
      if (this.#room === room) this.#published = null;
      throw error;
    }
  }
}
