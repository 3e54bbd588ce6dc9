import { type UserId, userIdOfMediaIdentity } from '@mogakgong/contract';
import {
  ConnectionQuality,
  ConnectionState,
  type RemoteParticipant,
  type RemoteTrackPublication,
  type Room,
  RoomEvent,
  Track,
  VideoQuality,
} from 'livekit-client';
import { remotePicture } from './remote-picture.ts';
import { type SavingReason, savingReason, useSaveData } from './save-data.ts';
import type { Picture } from './video-picture.tsx';

/** Another learner in the media room. */
export interface Participant {
  readonly userId: UserId;
  readonly name: string;
  /**
   * `cameraOff`: the learner turned it off, so it is unpublished; `paused`: no picture for a moment (a locked
   * phone, a blur that starts).
   */
  readonly view: 'picture' | 'starting' | 'cameraOff' | 'paused' | 'connectionLost';
  /** Set when `view` is `picture`; a lost connection may still have the last one. */
  readonly picture: Picture | null;
}

/** The others in the media room as they are shown. */
export interface ShownPictures {
  /** In the order of joining. */
  readonly participants: readonly Participant[];
  /** Pictures flow both ways, even while only the signalling is lost. */
  readonly arePicturesFlowing: boolean;
  /** The browser blocks playback until a click. */
  readonly isPlaybackBlocked: boolean;
}

/** Events of the media service after which a participant may have changed. */
const PICTURE_EVENTS = [
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantDisconnected,
  RoomEvent.ParticipantNameChanged,
  RoomEvent.TrackPublished,
  RoomEvent.TrackUnpublished,
  RoomEvent.TrackSubscribed,
  RoomEvent.TrackUnsubscribed,
  RoomEvent.TrackMuted,
  RoomEvent.TrackUnmuted,
  RoomEvent.ConnectionQualityChanged,
  RoomEvent.VideoPlaybackStatusChanged,
] as const;

/** How long a camera without a picture counts as starting. */
const CAMERA_START_MS = 8_000;
/** A participant is looked at again after this time: without a camera then, they have none. */
const STARTING_CHECK_MS = 10_000;
/**
 * A picture may declare 1.5 Mbit/s at most, and ours send a third of that. The media server passes on what is sent:
 * one that stays above this at two looks takes the connection from all others.
 */
const BITS_PER_SECOND_MAX = 2_500_000;
const RATE_CHECK_MS = 4_000;
/** The library does not report when pictures stop while it waits for the signalling. */
const FLOW_CHECK_MS = 1_000;

/** The others in the media room: chooses the pictures to download, and reports what is shown of them. */
export class RoomPictures {
  readonly #onChange: (shown: ShownPictures) => void;
  #room: Room | null = null;
  #unwanted: ReadonlySet<UserId> = new Set();
  /** Learners with pictures too large, or of too many bits: their cameras count as off in this page. */
  readonly #refused = new Set<UserId>();
  /** Learners with too many bits at the last look. */
  #fast: ReadonlySet<UserId> = new Set();
  #enlarged: UserId | null = null;
  #isDue = false;
  #flowCheck: ReturnType<typeof setInterval> | undefined;

  constructor(onChange: (shown: ShownPictures) => void) {
    this.#onChange = onChange;
  }

  /** Follows the room that the server has accepted the client in; null: none. */
  switchRoom(room: Room | null): void {
    this.#room = room;
    if (room === null) return;
    for (const event of PICTURE_EVENTS) {
      room.on(event, () => this.#room === room && this.#refreshSoon());
    }
    room.on(RoomEvent.ParticipantConnected, () => this.#refreshLater(room));
    this.#refreshLater(room);
    const checks = setInterval(() => {
      const isOver = this.#room !== room || room.state === ConnectionState.Disconnected;
      if (isOver) clearInterval(checks);
      else this.#refuseFast(room);
    }, RATE_CHECK_MS);
    this.refresh();
  }

  setUnwanted(userIds: ReadonlySet<UserId>): void {
    this.#unwanted = userIds;
    this.refresh();
  }

  setEnlarged(userId: UserId | null): void {
    if (userId === this.#enlarged) return;
    this.#enlarged = userId;
    this.refresh();
  }

  /** Looks now, and every second while the library repairs the connection. */
  watchFlow(isOn: boolean): void {
    clearInterval(this.#flowCheck);
    if (isOn) this.#flowCheck = setInterval(() => this.refresh(), FLOW_CHECK_MS);
    this.refresh();
  }

  refresh(): void {
    const room = this.#room;
    if (room !== null) {
      const saving = savingReason(useSaveData.getState());
      const unwanted = new Set([...this.#unwanted, ...this.#refused]);
      chooseDownloads(room, { unwanted, enlarged: this.#enlarged, saving });
    }
    this.#onChange({
      participants: participantsOf(room, this.#refused, (userId) => this.#refuse(userId)),
      arePicturesFlowing: room !== null && arePicturesFlowing(room),
      isPlaybackBlocked: room !== null && !room.canPlaybackVideo,
    });
  }

  #refuse(userId: UserId): void {
    this.#refused.add(userId);
    this.refresh();
  }

  #refuseFast(room: Room): void {
    const before = this.#fast;
    const fast = [...room.remoteParticipants.values()].filter((remote) => {
      const { videoTrack } = remote.getTrackPublication(Track.Source.Camera) ?? {};
      return (videoTrack?.currentBitrate ?? 0) > BITS_PER_SECOND_MAX;
    });
    this.#fast = new Set(fast.map(({ identity }) => userIdOfMediaIdentity(identity)));
    for (const userId of this.#fast) if (before.has(userId)) this.#refuse(userId);
  }

  /** A camera that should have started by then is shown as off. */
  #refreshLater(room: Room): void {
    setTimeout(() => this.#room === room && this.refresh(), STARTING_CHECK_MS);
  }

  /**
   * Runs once for all events of one task. A restarting connection first removes everybody and then reports
   * that it reconnects: seen together, nobody has left.
   */
  #refreshSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.refresh();
    });
  }
}

/**
 * The others in the media room, in the order of joining.
 * @param refused learners with a camera that counts as off.
 * @param refuse takes a learner with too large pictures.
 */
export function participantsOf(
  room: Room | null,
  refused: ReadonlySet<UserId> = new Set(),
  refuse: (userId: UserId) => void = () => undefined,
): readonly Participant[] {
  const participants = [...(room?.remoteParticipants.values() ?? [])]
    .sort((a, b) => (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0))
    .map((remote) => {
      const userId = userIdOfMediaIdentity(remote.identity);
      const name = remote.name || String(userId);
      if (refused.has(userId)) return { userId, name, view: 'cameraOff' as const, picture: null };
      const publication = remote.getTrackPublication(Track.Source.Camera);
      const picture = publication?.isMuted
        ? null
        : remotePicture(publication, () => refuse(userId));
      return { userId, name, view: viewOf(remote, picture), picture };
    });
  // Of two visits of one learner the later counts: the media service may still list the earlier.
  return [...new Map(participants.map((each) => [each.userId, each])).values()];
}

/** Participants with a camera published in their current connection: if it is gone now, it is off. */
const hadCamera = new WeakSet<RemoteParticipant>();

function viewOf(remote: RemoteParticipant, picture: Picture | null): Participant['view'] {
  const publication = remote.getTrackPublication(Track.Source.Camera);
  if (publication !== undefined) hadCamera.add(remote);
  if (remote.connectionQuality === ConnectionQuality.Lost) return 'connectionLost';
  if (publication === undefined) {
    const joinedAgoMs = Date.now() - (remote.joinedAt?.getTime() ?? 0);
    const isStarting = joinedAgoMs < CAMERA_START_MS && !hadCamera.has(remote);
    return isStarting ? 'starting' : 'cameraOff';
  }
  if (publication.isMuted) return 'paused';
  return picture === null ? 'starting' : 'picture';
}

/** Which of the others' cameras are downloaded, and how. */
export interface Downloads {
  readonly unwanted: ReadonlySet<UserId>;
  /** The learner on the enlarged tile, if any. */
  readonly enlarged: UserId | null;
  /** Why less is received, if so. */
  readonly saving: SavingReason | null;
}

/** Whether the transports of pictures are up, sent and received: they may outlive the signalling. */
export function arePicturesFlowing({ localParticipant, remoteParticipants }: Room): boolean {
  const { sender } = localParticipant.getTrackPublication(Track.Source.Camera)?.videoTrack ?? {};
  const receivers = [...remoteParticipants.values()].map(
    (remote) => remote.getTrackPublication(Track.Source.Camera)?.track?.receiver,
  );
  const states = [sender, ...receivers].map(stateOf);
  const isUp = states.some((state) => state === 'connected' || state === 'completed');
  return isUp && !states.some(isBroken);
}

const stateOf = (end: RTCRtpSender | RTCRtpReceiver | undefined) => {
  const transport = end?.transport;
  return transport?.state === 'connected' ? transport.iceTransport.state : transport?.state;
};

const isBroken = (state: string | undefined) =>
  state === 'disconnected' || state === 'failed' || state === 'closed';

/**
 * Downloads every camera but the unwanted ones, reduced where there is a reason. Nothing else is downloaded,
 * so sound would never arrive (design §6).
 */
export function chooseDownloads(room: Room, { unwanted, enlarged, saving }: Downloads): void {
  for (const participant of room.remoteParticipants.values()) {
    const userId = userIdOfMediaIdentity(participant.identity);
    const isWanted = !unwanted.has(userId);
    // An enlarged picture stays large unless the learner chose to save data.
    const reason = enlarged === userId && isAutomatic(saving) ? null : saving;
    for (const publication of participant.trackPublications.values()) {
      if (publication.kind !== Track.Kind.Video) continue;
      if (publication.isDesired !== isWanted) publication.setSubscribed(isWanted);
      if (isWanted) limitDownload(publication, reason);
    }
  }
}

const isAutomatic = (reason: SavingReason | null) => reason === 'cpu' || reason === 'battery';

/**
 * Chosen data saving receives every second frame: the temporal layer that the media server has at this rate.
 */
const FEW_FRAMES_PER_SECOND = 4;
const ALL_FRAMES_PER_SECOND = 30;

const limited = new WeakSet<RemoteTrackPublication>();

/**
 * Downloads only the small size, whatever the tile's size; with fewer frames if the learner chose to save
 * data.
 */
function limitDownload(publication: RemoteTrackPublication, reason: SavingReason | null): void {
  if (reason === null && !limited.has(publication)) return;
  limited.add(publication);
  const isData = reason !== null && !isAutomatic(reason);
  publication.setVideoQuality(reason === null ? VideoQuality.HIGH : VideoQuality.LOW);
  publication.setVideoFPS(isData ? FEW_FRAMES_PER_SECOND : ALL_FRAMES_PER_SECOND);
}
