import { userIdOfMediaIdentity } from '@mogakgong/contract';
import { type Room, Track } from 'livekit-client';

/** Downloads every camera but the hidden ones. Nothing else: sound would never be fetched (design §6). */
export function chooseDownloads(room: Room, isHidden: (identity: string) => boolean): void {
  for (const participant of room.remoteParticipants.values()) {
    const isWanted = !isHidden(userIdOfMediaIdentity(participant.identity));
    for (const publication of participant.trackPublications.values()) {
      if (publication.kind !== Track.Kind.Video || publication.isDesired === isWanted) continue;
      publication.setSubscribed(isWanted);
    }
  }
}
