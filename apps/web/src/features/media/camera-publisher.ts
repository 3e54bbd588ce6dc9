import { LocalVideoTrack, type Room, Track, VideoQuality } from 'livekit-client';
import { CAMERA_CONSTRAINTS, type Camera } from './camera.ts';
import { retryDelayMs } from './room-state.ts';
import { savingReason, useSaveData } from './save-data.ts';

type SizeRequests = Parameters<LocalVideoTrack['setPublishingLayers']>[1];

const ALL_SIZES = [VideoQuality.LOW, VideoQuality.MEDIUM, VideoQuality.HIGH].map(
  (quality) => ({ quality, enabled: true }) as SizeRequests[number],
);

/** The camera as it is sent: in the sizes that somebody looks at, in the small one alone while less is sent. */
export class SentCamera extends LocalVideoTrack {
  #requested: SizeRequests = ALL_SIZES;

  /** The page owns the camera: the library stops what it sends when the tab freezes, and never opens it again. */
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
  }

  /** Sends what is requested, as much of it as is to be sent now. */
  async followSaving(): Promise<void> {
    await this.setPublishingLayers(false, this.#requested);
  }
}

/**
 * Keeps what the room sees in step with the page's camera: publishes it, puts a newly opened camera in
 * the place of the last, pauses it until then, and withdraws it while it is off or fails. What the room does
 * not take is tried again.
 */
export class CameraPublisher {
  readonly #camera: Camera;
  #room: Room | null = null;
  #published: SentCamera | null = null;
  /** Changes are made one after the other. */
  #work: Promise<void> = Promise.resolve();
  readonly #onUnseen: (isUnseen: boolean) => void;
  #failures = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param onUnseen told whether the room does not see what it should. */
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

  /** A track is not published any more: the media server may have withdrawn it. */
  forget(track: Track | undefined): void {
    if (this.#published === track) this.#published = null;
  }

  /** Less is sent from now on, or as much as before. */
  followSaving(): void {
    // The connection has just ended, or sends as before; the next change tries again.
    this.#published?.followSaving().catch(() => undefined);
  }

  /** Brings the room to the camera's present state. */
  follow(): void {
    this.#work = this.#work.then(async () => {
      const room = this.#room;
      try {
        await this.#bringUpToDate();
        if (room === this.#room) this.#settle(0);
      } catch {
        // A connection that has ended took the picture along: the next one begins anew.
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
    // Of the picture that has ended the others would keep the last frame: before a blur, a sharp one.
    if (camera.kind === 'starting') return published?.pauseUpstream();
    if (camera.kind !== 'on' || !camera.isShared) {
      if (published !== null) await room.localParticipant.unpublishTrack(published);
      this.#published = null;
    } else if (published === null) {
      // A sanction may keep it off; when it may be on again, `follow` is called.
      if (room.localParticipant.permissions?.canPublish === false) return;
      await this.#publish(room, camera.track);
    } else if (published.mediaStreamTrack !== camera.track) {
      await published.replaceTrack(camera.track, true);
    }
    // The others are shown why there is no picture, in place of a black or frozen one.
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
