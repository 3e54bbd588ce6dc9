import {
  type ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  SignalRequest,
  SignalResponse,
  SubscriptionPermission,
  TrackPermission,
  UpdateSubscription,
} from '@livekit/protocol';
import { type UserId, userIdOfMediaIdentity } from '@mogakgong/contract';

/** Both ends of a signalling connection. */
interface Ends {
  readonly toClient: (message: Uint8Array) => void;
  readonly toServer: (message: Uint8Array) => void;
}

const userIdOf = ({ identity }: ParticipantInfo) => userIdOfMediaIdentity(identity);

/**
 * Keeps the learner of one signalling connection apart from those of their room whom a block separates
 * them from. The client is never told of them, and the media server is told in the learner's name to
 * give their camera to the others alone: that it enforces, whatever a client asks for.
 */
export class PairFilter {
  /** Who is kept apart from the learner. */
  readonly #hidden = new Set<UserId>();
  /** Who is in the media room, by identity, as the media server said last. */
  readonly #others = new Map<string, ParticipantInfo>();
  #ends: Ends | null = null;
  /** Whose subscriptions are permitted; null: everybody's. */
  #permitted: string | null = null;

  /**
   * Takes effect. What the media server says first, who is there, is answered before the client can
   * publish; one that resumes keeps what was permitted until then.
   */
  attach(ends: Ends): void {
    this.#ends = ends;
  }

  /** What the client may see of a message of the media server; null: nothing. Throws if it is none. */
  visiblePart(data: Uint8Array): Uint8Array | null {
    const response = SignalResponse.fromBinary(data);
    const { message } = response;
    if (message.case === 'join') {
      const { otherParticipants } = message.value;
      message.value.otherParticipants = this.#learn(otherParticipants);
      const isWhole = message.value.otherParticipants.length === otherParticipants.length;
      return isWhole ? data : response.toBinary();
    }
    if (message.case !== 'update') return data;
    const { participants } = message.value;
    const visible = this.#learn(participants);
    if (visible.length === participants.length) return data;
    message.value.participants = visible;
    return visible.length > 0 ? response.toBinary() : null;
  }

  /** A block that separates the learner from another was made, or lifted. */
  change(userId: UserId, isApart: boolean): void {
    if (isApart === this.#hidden.has(userId)) return;
    if (isApart) this.#hidden.add(userId);
    else this.#hidden.delete(userId);
    this.#permit();
    for (const info of this.#others.values()) {
      if (userIdOf(info) !== userId) continue;
      if (isApart) this.#unsubscribe(info);
      const shown = info.clone();
      if (isApart) shown.state = ParticipantInfo_State.DISCONNECTED;
      const value = new ParticipantUpdate({ participants: [shown] });
      const update = new SignalResponse({ message: { case: 'update', value } });
      this.#ends?.toClient(update.toBinary());
    }
  }

  /** @returns those of them whom the client may see. */
  #learn(participants: readonly ParticipantInfo[]): ParticipantInfo[] {
    for (const info of participants) {
      if (info.state === ParticipantInfo_State.DISCONNECTED) this.#others.delete(info.identity);
      else this.#others.set(info.identity, info);
    }
    this.#permit();
    return participants.filter((info) => !this.#hidden.has(userIdOf(info)));
  }

  /** Says who may subscribe to the learner's camera, where that changed. */
  #permit(): void {
    if (this.#ends === null) return;
    const visible = [...this.#others.values()].filter((info) => !this.#hidden.has(userIdOf(info)));
    const identities = visible.map(({ identity }) => identity).sort();
    const permitted = this.#hidden.size > 0 ? identities.join() : null;
    if (permitted === this.#permitted) return;
    this.#permitted = permitted;
    const value = new SubscriptionPermission({
      allParticipants: permitted === null,
      trackPermissions: identities.map(
        (participantIdentity) => new TrackPermission({ participantIdentity, allTracks: true }),
      ),
    });
    this.#request({ case: 'subscriptionPermission', value });
  }

  /** So that the client gets the camera again only when it has been told of the other again. */
  #unsubscribe({ tracks }: ParticipantInfo): void {
    const value = new UpdateSubscription({
      trackSids: tracks.map(({ sid }) => sid),
      subscribe: false,
    });
    this.#request({ case: 'subscription', value });
  }

  #request(message: SignalRequest['message']): void {
    this.#ends?.toServer(new SignalRequest({ message }).toBinary());
  }
}
