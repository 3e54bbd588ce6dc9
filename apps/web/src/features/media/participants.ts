import { type UserId, userIdOfMediaIdentity } from '@mogakgong/contract';
import {
  ConnectionQuality,
  type RemoteParticipant,
  type RemoteTrackPublication,
  type Room,
  Track,
  VideoQuality,
} from 'livekit-client';
import { remotePicture } from './remote-picture.ts';
import type { SavingReason } from './save-data.ts';
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

/** How long a camera without a picture counts as starting. */
const CAMERA_START_MS = 8_000;

/** The others in the media room, in the order of joining. */
export function participantsOf(room: Room | null): readonly Participant[] {
  const participants = [...(room?.remoteParticipants.values() ?? [])]
    .sort((a, b) => (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0))
    .map((remote) => {
      const userId = userIdOfMediaIdentity(remote.identity);
      const publication = remote.getTrackPublication(Track.Source.Camera);
      const picture = publication?.isMuted ? null : remotePicture(publication);
      const name = remote.name || String(userId);
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
