import { type DisconnectReason, Room } from 'livekit-client';
import { retryDelayMs } from './backoff.ts';
import type { Camera } from './camera.ts';
import { CameraPublisher } from './camera-publisher.ts';
import { watchForCamera } from './camera-watch.ts';
import { disconnectEvent } from './disconnect-event.ts';
import { chooseDownloads } from './downloads.ts';
import { markOnce } from './performance-marks.ts';
import { RoomClaim } from './room-claim.ts';
import type { RoomDoor } from './room-door.ts';
import { listenToRoom } from './room-listeners.ts';
import { connectOptions, roomOptions } from './room-options.ts';
import { isUnderWay, nextRoomState, type RoomEvent, type RoomState } from './room-state.ts';
import { RoomTiles, type Roster, type Self, type Tile } from './room-tiles.ts';
import { signallingAddress } from './server-address.ts';

export interface RoomSnapshot {
  readonly state: RoomState;
  readonly tiles: readonly Tile[];
  /** The browser holds back the pictures until somebody clicks. */
  readonly isPlaybackBlocked: boolean;
}

/** Tiles whose camera has not come by then are shown as off. */
const STARTING_CHECK_MS = 10_000;
/** How long others may take to come back after an outage; shorter than the check above. */
const KEPT_PLACES_MS = 9_000;

/**
 * One learner's stay in one room: seat, token, camera and media connection, and the way back from
 * whatever ends them. Knows no framework; `subscribe` and `getSnapshot` fit `useSyncExternalStore`.
 */
export class RoomSession {
  readonly #door: RoomDoor;
  readonly #camera: Camera;
  readonly #publisher: CameraPublisher;
  readonly #tiles: RoomTiles;
  readonly #claim = new RoomClaim();
  readonly #listeners = new Set<() => void>();
  readonly #stop = new AbortController();
  #state: RoomState = { kind: 'entering' };
  #snapshot: RoomSnapshot;
  #room: Room | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the tries to connect: what an earlier try still has to say is not heard. */
  #round = 0;
  #isRefreshing = false;
  /** Until then (epoch ms) the places of those who are missing are kept. */
  #keptUntilMs = 0;

  constructor(options: { door: RoomDoor; camera: Camera; self: Self }) {
    this.#door = options.door;
    this.#camera = options.camera;
    this.#publisher = new CameraPublisher(options.camera);
    this.#tiles = new RoomTiles(options.self);
    this.#snapshot = this.#takeSnapshot();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): RoomSnapshot => this.#snapshot;

  /** Begins the stay; call once. */
  start(): void {
    const { signal } = this.#stop;
    signal.addEventListener('abort', watchForCamera(this.#camera));
    signal.addEventListener(
      'abort',
      this.#camera.subscribe(() => this.#cameraChanged()),
    );
    const comeBack = () => this.#retryNow();
    window.addEventListener('online', comeBack, { signal });
    window.addEventListener('pageshow', comeBack, { signal });
    document.addEventListener('resume', comeBack, { signal });
    this.#begin();
  }

  /** Comes in again after `replaced`, `removed`, `refused` or `cameraNeeded`. */
  enter(): void {
    if (isUnderWay(this.#state)) return;
    this.#dispatch({ kind: 'enter' });
    this.#begin();
  }

  /** Tries the camera again. */
  retryCamera(): void {
    void this.#camera.open();
  }

  setHidden(identity: string, isHidden: boolean): void {
    this.#tiles.setHidden(identity, isHidden);
    this.#refresh();
  }

  /** Who is seated, or null while that is not known. */
  setRoster(roster: Roster | null): void {
    this.#tiles.setRoster(roster);
    this.#refresh();
  }

  /** Whose pictures are neither shown nor downloaded. */
  setBlocked(identities: ReadonlySet<string>): void {
    this.#tiles.setBlocked(identities);
    this.#refresh();
  }

  /** Lets the pictures play; call it from a click. */
  startPlayback(): void {
    this.#room?.startVideo().catch(() => undefined);
  }

  /** Ends the stay: camera off, connection closed, so that the tile is gone elsewhere at once. */
  leave(): void {
    this.#dispatch({ kind: 'leave' });
    this.#stop.abort();
    this.#close();
    this.#listeners.clear();
  }

  #begin(): void {
    this.#claim.take(() => this.#end({ kind: 'replaced' }));
    void this.#camera.open().then((camera) => {
      const isOnTheWayIn = isUnderWay(this.#state) && !this.#publisher.hasPublished;
      if (camera.kind !== 'failed' || !isOnTheWayIn) return;
      this.#end({ kind: 'cameraFailed', problem: camera.problem });
    });
    void this.#connect();
  }

  async #connect(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    const isStale = () => round !== this.#round;
    clearTimeout(this.#retryTimer);
    const room = new Room(roomOptions);
    try {
      const { token, serverUrl } = await this.#door.admit();
      if (isStale()) return;
      const address = signallingAddress(serverUrl, window.location.href);
      if (address === null) return this.#end(refused(this.#door.noServerText));
      markOnce('room:token');
      this.#dispatch({ kind: 'tokenReceived' });
      this.#listen(room, round);
      await room.connect(address, token, connectOptions);
      if (isStale()) return void (await room.disconnect(false));
    } catch (error) {
      if (isStale()) return;
      return this.#failed(error);
    }
    markOnce('room:connected');
    this.#dispatch({ kind: 'connected' });
  }

  /** The server knows us: sending and fetching pictures is arranged while the media still connects. */
  #signalConnected(room: Room): void {
    if (this.#room === room) return;
    this.#room = room;
    this.#publisher.switchRoom(room);
    this.#refreshLater(room);
    this.#refresh();
  }

  /** A camera that should be there by then is shown as off. */
  #refreshLater(room: Room): void {
    setTimeout(() => this.#room === room && this.#refresh(), STARTING_CHECK_MS);
  }

  #failed(error: unknown): void {
    const refusal = this.#door.refusal(error);
    if (refusal !== null) this.#end({ kind: 'refused', refusal });
    else this.#lost();
  }

  #listen(room: Room, round: number): void {
    const listeners = {
      onSignalConnected: () => this.#signalConnected(room),
      onTilesChanged: () => this.#refreshSoon(),
      onSomebodyCame: () => this.#refreshLater(room),
      onStumbled: () => this.#dispatch({ kind: 'stumbled' }),
      onRecovered: () => this.#dispatch({ kind: 'connected' }),
      onDisconnected: (reason: DisconnectReason | undefined) => this.#disconnected(reason),
    };
    listenToRoom(room, listeners, () => round === this.#round);
  }

  #disconnected(reason: DisconnectReason | undefined): void {
    // Before `connect` has succeeded its own failure says more.
    if (this.#state.kind !== 'connected' && this.#state.kind !== 'reconnecting') return;
    const event = disconnectEvent(reason);
    if (event.kind === 'lost') this.#lost();
    else this.#end(event);
  }

  /** Schedules the next try, unless another tab has the room by now (this one was asleep). */
  #lost(): void {
    if (!this.#claim.isHeld()) {
      this.#end({ kind: 'replaced' });
      return;
    }
    this.#closeRoom();
    this.#dispatch({ kind: 'lost' });
    const attempt = this.#state.kind === 'waiting' ? this.#state.attempt : 0;
    this.#retryTimer = setTimeout(() => this.#retry(), retryDelayMs(attempt));
  }

  #retry(): void {
    if (this.#claim.isHeld()) void this.#connect();
    else this.#end({ kind: 'replaced' });
  }

  /** Something that lets hope: the network is back, the tab woke up. */
  #retryNow(): void {
    if (this.#state.kind === 'waiting' && this.#room === null) this.#retry();
  }

  /** Stops and waits for the learner. */
  #end(event: RoomEvent): void {
    this.#close();
    this.#dispatch(event);
  }

  #close(): void {
    this.#closeRoom();
    this.#claim.release();
    if (this.#camera.getState().kind !== 'failed') this.#camera.close();
  }

  #closeRoom(): void {
    this.#round += 1;
    clearTimeout(this.#retryTimer);
    const room = this.#room;
    this.#room = null;
    this.#publisher.switchRoom(null);
    room?.disconnect(false).catch(() => undefined);
  }

  #cameraChanged(): void {
    const camera = this.#camera.getState();
    if (this.#state.kind === 'cameraNeeded' && camera.kind === 'on') this.enter();
    this.#publisher.follow();
    this.#refresh();
  }

  #dispatch(event: RoomEvent): void {
    const wasAway = this.#state.kind === 'reconnecting' || this.#state.kind === 'waiting';
    this.#state = nextRoomState(this.#state, event);
    if (wasAway && this.#state.kind === 'connected') {
      this.#keptUntilMs = Date.now() + KEPT_PLACES_MS;
      if (this.#room !== null) this.#refreshLater(this.#room);
    }
    this.#refresh();
  }

  /**
   * Once for all events of a moment. A connection that starts over first removes everybody and then
   * says that it reconnects: seen together, nobody has left.
   */
  #refreshSoon(): void {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    queueMicrotask(() => {
      this.#isRefreshing = false;
      this.#refresh();
    });
  }

  #refresh(): void {
    if (this.#room !== null) chooseDownloads(this.#room, (who) => this.#tiles.isHidden(who));
    this.#snapshot = this.#takeSnapshot();
    for (const listener of this.#listeners) listener();
  }

  /** After an outage everybody comes back, one after the other: their places are kept for them. */
  #isComingBack(): boolean {
    const { kind } = this.#state;
    return kind === 'reconnecting' || kind === 'waiting' || Date.now() < this.#keptUntilMs;
  }

  #takeSnapshot(): RoomSnapshot {
    return {
      state: this.#state,
      tiles: this.#tiles.build(this.#room, this.#camera.getState(), this.#isComingBack()),
      isPlaybackBlocked: this.#room !== null && !this.#room.canPlaybackVideo,
    };
  }
}

function refused(message: string): RoomEvent {
  return { kind: 'refused', refusal: { errorName: null, message } };
}
