import type { UserId } from '@mogakgong/contract';
import { DisconnectReason, Room, RoomEvent } from 'livekit-client';
import type { Camera } from './camera.ts';
import { CameraPublisher, type Sending } from './camera-publisher.ts';
import { RoomPictures, type ShownPictures } from './participants.ts';
import { connectOptions, roomOptions } from './room-options.ts';

/** How a connection ended. */
export type DisconnectKind = 'lost' | 'asleep' | 'replaced' | 'removed';

/** The pictures that the learner wants to see, and how their own is sent. */
export interface MediaWishes {
  /** Learners without a download of their picture. */
  readonly unwanted: ReadonlySet<UserId>;
  /** The learner on the enlarged tile, if any. */
  readonly enlarged: UserId | null;
  /** How the own picture is sent. */
  readonly sending: Sending;
}

interface MediaConnectionOptions {
  readonly camera: Camera;
  readonly onPictures: (shown: ShownPictures) => void;
  /** Called with whether the room misses the own picture. */
  readonly onUnseen: (isUnseen: boolean) => void;
  /** Called when both directions are negotiated: the rest happens outside the page. */
  readonly onNegotiated: () => void;
  readonly onEvent: (event: 'stumbled' | 'connected') => void;
  readonly onDisconnected: (kind: DisconnectKind) => void;
}

/**
 * The connection to the media server, with the picture that is sent and those that are shown; a new one replaces
 * the last. Brings livekit-client, a third of the room's code: the room is drawn without it.
 */
export class MediaConnection {
  readonly #options: MediaConnectionOptions;
  readonly #publisher: CameraPublisher;
  readonly #pictures: RoomPictures;
  /** The room of the current try, from its first message to the media server until it is closed. */
  #tried: Room | null = null;
  /** The same room once the server has accepted the client. */
  #room: Room | null = null;

  constructor(options: MediaConnectionOptions) {
    this.#options = options;
    this.#publisher = new CameraPublisher(options.camera, options.onUnseen);
    this.#pictures = new RoomPictures(options.onPictures);
  }

  /**
   * Resolves when the connection stands.
   * @param limitMs ends the try.
   * @throws the library's error; also when it is closed meanwhile.
   */
  async connect(address: string, token: string, limitMs: number): Promise<void> {
    const room = new Room(roomOptions);
    this.#listen(room);
    this.#tried = room;
    const giveUp = setTimeout(() => void room.disconnect(false), limitMs);
    try {
      await room.connect(address, token, connectOptions);
      if (this.#tried !== room) await room.disconnect(false);
    } finally {
      clearTimeout(giveUp);
    }
  }

  close(): void {
    // Includes a room that the server does not know yet: it would stay there without a page.
    const room = this.#tried;
    this.#tried = null;
    this.#room = null;
    this.#publisher.switchRoom(null);
    this.#pictures.switchRoom(null);
    // The connection is gone already, or ends with its socket.
    room?.disconnect(false).catch(() => undefined);
  }

  setWishes({ unwanted, enlarged, sending }: Partial<MediaWishes>): void {
    if (unwanted !== undefined) this.#pictures.setUnwanted(unwanted);
    if (enlarged !== undefined) this.#pictures.setEnlarged(enlarged);
    if (sending !== undefined) this.#publisher.setSending(sending);
  }

  /** Starts the playback of pictures; call it from a click. */
  startPlayback(): void {
    // The browser requires another press, which the page offers while pictures are blocked.
    this.#room?.startVideo().catch(() => undefined);
  }

  /** The camera has changed. */
  followCamera(): void {
    this.#publisher.follow();
  }

  /** Data saving has started or ended. */
  followSaving(): void {
    this.#publisher.followSaving();
    this.#pictures.refresh();
  }

  /** Reports every second whether pictures flow, while the library repairs the connection. */
  watchFlow(isOn: boolean): void {
    this.#pictures.watchFlow(isOn);
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

  #listen(room: Room): void {
    const { onNegotiated, onEvent, onDisconnected } = this.#options;
    const isStale = () => this.#tried !== room;
    const on = (event: RoomEvent, listener: () => void) =>
      room.on(event, () => isStale() || listener());
    on(RoomEvent.SignalConnected, () => this.#signalConnected(room));
    on(RoomEvent.LocalTrackPublished, onNegotiated);
    // Also after the library has reconnected: the new sender has the first limits.
    on(RoomEvent.LocalTrackPublished, () => this.#publisher.follow());
    on(RoomEvent.ParticipantPermissionsChanged, () => this.#publisher.follow());
    room.on(RoomEvent.LocalTrackUnpublished, ({ track }) => this.#publisher.forget(track));
    on(RoomEvent.SignalReconnecting, () => onEvent('stumbled'));
    on(RoomEvent.Reconnecting, () => onEvent('stumbled'));
    on(RoomEvent.Reconnected, () => onEvent('connected'));
    room.on(
      RoomEvent.Disconnected,
      (reason) => isStale() || onDisconnected(disconnectKind(reason)),
    );
  }
}

/**
 * The meaning of each disconnect reason. We reconnect where nobody may have decided the end; where somebody
 * may have (a deleted room), the API says so when the next token is requested.
 */
const KINDS: Readonly<Record<DisconnectReason, DisconnectKind>> = {
  [DisconnectReason.UNKNOWN_REASON]: 'lost',
  // The library disconnects a frozen tab.
  [DisconnectReason.CLIENT_INITIATED]: 'asleep',
  [DisconnectReason.DUPLICATE_IDENTITY]: 'replaced',
  [DisconnectReason.SERVER_SHUTDOWN]: 'lost',
  [DisconnectReason.PARTICIPANT_REMOVED]: 'removed',
  [DisconnectReason.ROOM_DELETED]: 'lost',
  [DisconnectReason.STATE_MISMATCH]: 'lost',
  [DisconnectReason.JOIN_FAILURE]: 'lost',
  [DisconnectReason.MIGRATION]: 'lost',
  [DisconnectReason.SIGNAL_CLOSE]: 'lost',
  [DisconnectReason.ROOM_CLOSED]: 'lost',
  [DisconnectReason.USER_UNAVAILABLE]: 'lost',
  [DisconnectReason.USER_REJECTED]: 'lost',
  [DisconnectReason.SIP_TRUNK_FAILURE]: 'lost',
  [DisconnectReason.CONNECTION_TIMEOUT]: 'lost',
  [DisconnectReason.MEDIA_FAILURE]: 'lost',
  [DisconnectReason.AGENT_ERROR]: 'lost',
};

/** The event that a disconnect reason is; a reason unknown to this version counts as a loss. */
export function disconnectKind(reason = DisconnectReason.UNKNOWN_REASON): DisconnectKind {
  return KINDS[reason] ?? 'lost';
}
