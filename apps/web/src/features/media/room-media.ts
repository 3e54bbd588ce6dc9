import type { UserId } from '@mogakgong/contract';
import { type DisconnectReason, Room, RoomEvent } from 'livekit-client';
import { createStore } from 'zustand/vanilla';
import type { Refusal } from '../../shared/api/index.ts';
import { onWake } from '../../shared/clock/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import type { Camera } from './camera.ts';
import { CameraPublisher, type Sending } from './camera-publisher.ts';
import { watchMachine } from './machine-needs.ts';
import { RoomPictures, type ShownPictures } from './participants.ts';
import { markOnce } from './performance-marks.ts';
import { RoomClaim } from './room-claim.ts';
import { connectOptions, roomOptions, signallingAddress } from './room-options.ts';
import {
  disconnectEvent,
  isUnderWay,
  moveDelayMs,
  nextRoomState,
  type RoomState,
  retryDelayMs,
  type StateEvent,
  tryLimitMs,
} from './room-state.ts';
import { savingReason, useSaveData } from './save-data.ts';

/** Access to the media room of a learner's seat. */
export interface SeatAccess {
  /** Resolves to a media token; takes a seat first where there is none. */
  readonly getAccess: () => Promise<{ readonly token: string; readonly serverUrl: string }>;
  /** The permanent refusal in a failed `getAccess`, or null when another try makes sense. */
  readonly refusal: (error: unknown) => Refusal | null;
}

export interface MediaSnapshot extends ShownPictures {
  readonly state: RoomState;
  /** The learner's own picture cannot be sent; it is retried. */
  readonly isUnseen: boolean;
}

/**
 * The media connection of one seat: token, camera, the others' pictures, and recovery. Holds the camera while
 * it is active.
 */
export class RoomMedia {
  readonly store = createStore<MediaSnapshot>(() => ({
    state: { kind: 'entering' },
    participants: [],
    arePicturesFlowing: false,
    isUnseen: false,
    isPlaybackBlocked: false,
  }));
  /** Resolves when the first connect has done its CPU-heavy part, or has failed. */
  readonly firstStep: Promise<void>;
  #endFirstStep = () => {};
  readonly #access: SeatAccess;
  readonly #camera: Camera;
  readonly #publisher: CameraPublisher;
  readonly #pictures = new RoomPictures((shown) => this.store.setState(shown));
  readonly #claim = new RoomClaim();
  readonly #stops: (() => void)[] = [];
  #releaseCamera = () => {};
  /** The room of the current try, from its first message to the media server until it is closed. */
  #tried: Room | null = null;
  /** The same room once the server has accepted the client. */
  #room: Room | null = null;
  /** Runs until the next try. */
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the tries to connect: events of an earlier try are ignored. */
  #round = 0;

  constructor(access: SeatAccess, camera: Camera) {
    this.#access = access;
    this.#camera = camera;
    this.#publisher = new CameraPublisher(camera, (isUnseen) => this.store.setState({ isUnseen }));
    this.firstStep = new Promise((resolve) => {
      this.#endFirstStep = resolve;
    });
  }

  /** Connects and stays connected until `close`; call once. */
  start(): void {
    this.#stops.push(
      this.#camera.store.subscribe(() => this.#publisher.follow()),
      useSaveData.subscribe(() => this.#followSaving()),
      watchMachine(),
      () => this.#camera.takeFewFrames(false),
      onWake(() => this.#retryNow()),
    );
    this.#followSaving();
    this.#begin();
  }

  /** Enters again after `replaced`, `removed` or `refused`. */
  enter(): void {
    if (isUnderWay(this.#state)) return;
    this.#dispatch({ kind: 'enter' });
    this.#begin();
  }

  /** Connects again: the room has moved to another media server. */
  move(): void {
    const { kind } = this.#state;
    if (isUnderWay(this.#state) && kind !== 'entering') this.#retryAfter('lost', moveDelayMs());
  }

  /** Ends the visit: the seat was taken away for this reason. */
  refuse(refusal: Refusal): void {
    this.#end({ kind: 'refused', refusal });
  }

  /** Sets the learners to download no pictures of. */
  setUnwanted(userIds: ReadonlySet<UserId>): void {
    this.#pictures.setUnwanted(userIds);
  }

  /** Sets the learner on the enlarged tile, if any. */
  setEnlarged(userId: UserId | null): void {
    this.#pictures.setEnlarged(userId);
  }

  /** Changes how the learner's own picture is sent. */
  setSending(sending: Sending): void {
    this.#publisher.setSending(sending);
  }

  /** Starts the playback of pictures; call it from a click. */
  startPlayback(): void {
    // The browser requires another press, which the page offers while pictures are blocked.
    this.#room?.startVideo().catch(() => undefined);
  }

  /** Turns the camera off and closes the connection, so that the tile disappears elsewhere at once; final. */
  close(): void {
    for (const stop of this.#stops) stop();
    this.#pictures.watchFlow(false);
    this.#disconnect();
  }

  get #state(): RoomState {
    return this.store.getState().state;
  }

  #begin(): void {
    this.#claim.take(() => this.#end({ kind: 'replaced' }));
    this.#releaseCamera = this.#camera.hold();
    void this.#connect();
  }

  async #connect(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    const isStale = () => round !== this.#round;
    this.#stopWaiting();
    const room = new Room(roomOptions);
    let giveUp: ReturnType<typeof setTimeout> | undefined;
    try {
      const { token, serverUrl } = await this.#access.getAccess();
      if (isStale()) return;
      const address = signallingAddress(serverUrl, window.location.href);
      if (token === '' || address === null) {
        const refusal = { errorName: null, message: translate('room.noServer') };
        return this.#end({ kind: 'refused', refusal });
      }
      markOnce('room:token');
      this.#listen(room, round);
      this.#tried = room;
      giveUp = setTimeout(() => void room.disconnect(false), tryLimitMs(this.#state));
      const connecting = room.connect(address, token, connectOptions);
      this.#dispatch({ kind: 'tokenReceived' });
      await connecting;
      if (isStale()) return void (await room.disconnect(false));
    } catch (error) {
      if (isStale()) return;
      const refusal = this.#access.refusal(error);
      if (refusal === null) this.#lost();
      else this.#end({ kind: 'refused', refusal });
      return;
    } finally {
      clearTimeout(giveUp);
    }
    markOnce('room:connected');
    this.#dispatch({ kind: 'connected' });
  }

  /**
   * The server has accepted the client: publishing and subscriptions are set up while the media still
   * connects.
   */
  #signalConnected(room: Room): void {
    if (this.#room === room) return;
    this.#room = room;
    this.#publisher.switchRoom(room);
    this.#pictures.switchRoom(room);
  }

  #listen(room: Room, round: number): void {
    const isStale = () => round !== this.#round;
    const on = (event: RoomEvent, listener: () => void) =>
      room.on(event, () => isStale() || listener());
    on(RoomEvent.SignalConnected, () => this.#signalConnected(room));
    // Both directions are negotiated by then; the rest happens outside the page.
    on(RoomEvent.LocalTrackPublished, this.#endFirstStep);
    // Also after the library has reconnected: the new sender has the first limits.
    on(RoomEvent.LocalTrackPublished, () => this.#publisher.follow());
    on(RoomEvent.ParticipantPermissionsChanged, () => this.#publisher.follow());
    room.on(RoomEvent.LocalTrackUnpublished, ({ track }) => this.#publisher.forget(track));
    on(RoomEvent.SignalReconnecting, () => this.#dispatch({ kind: 'stumbled' }));
    on(RoomEvent.Reconnecting, () => this.#dispatch({ kind: 'stumbled' }));
    on(RoomEvent.Reconnected, () => this.#dispatch({ kind: 'connected' }));
    room.on(RoomEvent.Disconnected, (reason) => isStale() || this.#disconnected(reason));
  }

  #disconnected(reason: DisconnectReason | undefined): void {
    // Until `connect` has succeeded, its own rejection is more precise.
    if (this.#state.kind !== 'connected' && this.#state.kind !== 'reconnecting') return;
    const { kind } = disconnectEvent(reason);
    if (kind === 'lost' || kind === 'asleep') this.#lost(kind);
    else this.#end({ kind });
  }

  /** Schedules the next try, unless another tab has claimed the room meanwhile (this one was asleep). */
  #lost(kind: 'lost' | 'asleep' = 'lost'): void {
    if (!this.#claim.isHeld()) {
      this.#end({ kind: 'replaced' });
      return;
    }
    this.#retryAfter(kind);
  }

  #retryAfter(kind: 'lost' | 'asleep', delayMs?: number): void {
    this.#closeRoom();
    this.#dispatch({ kind });
    const attempt = this.#state.kind === 'waiting' ? this.#state.attempt : 0;
    this.#retryTimer = setTimeout(() => this.#retry(), delayMs ?? retryDelayMs(attempt));
  }

  #retry(): void {
    if (this.#claim.isHeld()) void this.#connect();
    else this.#end({ kind: 'replaced' });
  }

  /** The network is back or the tab woke up: the next try starts now. A running one continues. */
  #retryNow(): void {
    if (this.#retryTimer !== undefined) this.#retry();
  }

  #stopWaiting(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
  }

  /** Stops, and waits for the learner. */
  #end(event: StateEvent): void {
    this.#disconnect();
    this.#dispatch(event);
  }

  #disconnect(): void {
    this.#closeRoom();
    this.#claim.release();
    this.#releaseCamera();
  }

  #closeRoom(): void {
    this.#round += 1;
    this.#stopWaiting();
    // Includes a room that the server does not know yet: it would stay there without a page.
    const room = this.#tried;
    this.#tried = null;
    this.#room = null;
    this.#publisher.switchRoom(null);
    this.#pictures.switchRoom(null);
    // The connection is gone already, or ends with its socket.
    room?.disconnect(false).catch(() => undefined);
  }

  #followSaving(): void {
    this.#camera.takeFewFrames(savingReason(useSaveData.getState()) !== null);
    this.#publisher.followSaving();
    this.#pictures.refresh();
  }

  #dispatch(event: StateEvent): void {
    this.store.setState(({ state }) => ({ state: nextRoomState(state, event) }));
    if (event.kind !== 'tokenReceived') this.#endFirstStep();
    this.#pictures.watchFlow(this.#state.kind === 'reconnecting');
  }
}
