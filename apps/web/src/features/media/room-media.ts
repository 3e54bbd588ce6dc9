import { createStore } from 'zustand/vanilla';
import type { Refusal } from '../../shared/api/index.ts';
import { onWake } from '../../shared/clock/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import type { Camera } from './camera.ts';
import { watchMachine } from './machine-needs.ts';
import type { DisconnectKind, MediaConnection, MediaWishes } from './media-connection.ts';
import type { ShownPictures } from './participants.ts';
import { markOnce } from './performance-marks.ts';
import { RoomClaim } from './room-claim.ts';
import {
  isUnderWay,
  moveDelayMs,
  nextRoomState,
  type RoomState,
  retryDelayMs,
  type StateEvent,
  tryLimitMs,
} from './room-state.ts';
import { savingReason, useSaveData } from './save-data.ts';

const loadConnection = () => import('./media-connection.ts');
// Downloaded beside the page of the room; where this fails, a try to connect downloads it again.
loadConnection().catch(() => undefined);

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

/** The media of one seat: token, connection and recovery. Holds the camera while it is active. */
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
  #wishes: MediaWishes = { unwanted: new Set(), enlarged: null, sending: 'whole' };
  /** Null until its code is there. */
  #connection: MediaConnection | null = null;
  readonly #claim = new RoomClaim();
  readonly #stops: (() => void)[] = [];
  #releaseCamera = () => {};
  /** Runs until the next try. */
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the tries to connect: events of an earlier try are ignored. */
  #round = 0;

  constructor(access: SeatAccess, camera: Camera) {
    this.#access = access;
    this.#camera = camera;
    this.firstStep = new Promise((resolve) => {
      this.#endFirstStep = resolve;
    });
  }

  /** Connects and stays connected until `close`; call once. */
  start(): void {
    this.#stops.push(
      this.#camera.store.subscribe(() => this.#connection?.followCamera()),
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

  /** Holds for this connection and later ones. */
  setWishes(wishes: Partial<MediaWishes>): void {
    this.#wishes = { ...this.#wishes, ...wishes };
    this.#connection?.setWishes(wishes);
  }

  /** Starts the playback of pictures; call it from a click. */
  startPlayback(): void {
    this.#connection?.startPlayback();
  }

  /** Turns the camera off and closes the connection, so that the tile disappears elsewhere at once; final. */
  close(): void {
    for (const stop of this.#stops) stop();
    this.#connection?.watchFlow(false);
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
    try {
      const { token, serverUrl } = await this.#access.getAccess();
      if (isStale()) return;
      const address = signallingAddress(serverUrl, window.location.href);
      if (token === '' || address === null) {
        const refusal = { errorName: null, message: translate('room.noServer') };
        return this.#end({ kind: 'refused', refusal });
      }
      markOnce('room:token');
      const limitMs = tryLimitMs(this.#state);
      this.#dispatch({ kind: 'tokenReceived' });
      const code = await loadConnection();
      if (isStale()) return;
      await this.#prepare(code).connect(address, token, limitMs);
      if (isStale()) return;
    } catch (error) {
      if (isStale()) return;
      const refusal = this.#access.refusal(error);
      if (refusal === null) this.#lost();
      else this.#end({ kind: 'refused', refusal });
      return;
    }
    markOnce('room:connected');
    this.#dispatch({ kind: 'connected' });
  }

  #prepare(code: Awaited<ReturnType<typeof loadConnection>>): MediaConnection {
    if (this.#connection !== null) return this.#connection;
    this.#connection = new code.MediaConnection({
      camera: this.#camera,
      onPictures: (shown) => this.store.setState(shown),
      onUnseen: (isUnseen) => this.store.setState({ isUnseen }),
      onNegotiated: this.#endFirstStep,
      onEvent: (kind) => this.#dispatch({ kind }),
      onDisconnected: (kind) => this.#disconnected(kind),
    });
    this.#connection.setWishes(this.#wishes);
    return this.#connection;
  }

  #disconnected(kind: DisconnectKind): void {
    // Until `connect` has succeeded, its own rejection is more precise.
    if (this.#state.kind !== 'connected' && this.#state.kind !== 'reconnecting') return;
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
    this.#closeConnection();
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
    this.#closeConnection();
    this.#claim.release();
    this.#releaseCamera();
  }

  #closeConnection(): void {
    this.#round += 1;
    this.#stopWaiting();
    this.#connection?.close();
  }

  #followSaving(): void {
    this.#camera.takeFewFrames(savingReason(useSaveData.getState()) !== null);
    this.#connection?.followSaving();
  }

  #dispatch(event: StateEvent): void {
    this.store.setState(({ state }) => ({ state: nextRoomState(state, event) }));
    if (event.kind !== 'tokenReceived') this.#endFirstStep();
    this.#connection?.watchFlow(this.#state.kind === 'reconnecting');
  }
}

/**
 * The address of the media server's signalling: absolute as given, or a path of this site, always ws or wss.
 * Null when there is none (specification §5).
 */
export function signallingAddress(serverUrl: string, page: string): string | null {
  if (serverUrl.trim() === '' || !URL.canParse(serverUrl, page)) return null;
  const address = new URL(serverUrl, page).href.replace(/^http/u, 'ws').replace(/\/$/u, '');
  return /^wss?:/u.test(address) ? address : null;
}
