import { LocalVideoTrack, type Room, Track } from 'livekit-client';
import { CAMERA_CONSTRAINTS, type Camera } from './camera.ts';

/**
 * Keeps what the room sees in step with the page's camera: publishes it, puts a newly opened camera in
 * the place of the last, and withdraws it while it is off or fails.
 */
export class CameraPublisher {
  readonly #camera: Camera;
  #room: Room | null = null;
  #published: LocalVideoTrack | null = null;
  /** Changes are made one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(camera: Camera) {
    this.#camera = camera;
  }

  /** Publishes into a new connection from now on, or nowhere. */
  switchRoom(room: Room | null): void {
    this.#room = room;
    this.#published = null;
    this.follow();
  }

  /** A track is not published any more: the media server may have withdrawn it. */
  forget(track: Track | undefined): void {
    if (this.#published === track) this.#published = null;
  }

  /** Brings the room to the camera's present state. */
  follow(): void {
    this.#work = this.#work.then(() => this.#bringUpToDate()).catch(() => undefined);
  }

  async #bringUpToDate(): Promise<void> {
    const room = this.#room;
    const camera = this.#camera.store.getState();
    const published = this.#published;
    if (room === null || camera.kind === 'starting') return;
    if (camera.kind !== 'on' || !camera.isShared) {
      this.#published = null;
      if (published !== null) await room.localParticipant.unpublishTrack(published);
    } else if (published === null) {
      // A sanction may keep it off; when it may be on again, `follow` is called.
      if (room.localParticipant.permissions?.canPublish === false) return;
      await this.#publish(room, camera.track);
    } else if (published.mediaStreamTrack !== camera.track) {
      await published.replaceTrack(camera.track, true);
    }
  }

  async #publish(room: Room, mediaTrack: MediaStreamTrack): Promise<void> {
    const track = new LocalVideoTrack(mediaTrack, CAMERA_CONSTRAINTS, true);
    this.#published = track;
    try {
      await room.localParticipant.publishTrack(track, { source: Track.Source.Camera });
    } catch (error) {
      if (this.#room === room) this.#published = null;
      throw error;
    }
  }
}
