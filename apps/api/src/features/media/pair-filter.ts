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
import { showPort, type TcpPorts } from './shown-port.ts';

/** Both ends of a signalling connection. */
interface Ends {
  readonly toClient: (message: Uint8Array) => void;
  readonly toServer: (message: Uint8Array) => void;
}

const userIdOf = ({ identity }: ParticipantInfo) => userIdOfMediaIdentity(identity);

/**
 * Separates the learner of one signalling connection from learners in the room with a block between them. The
 * client is never told of them, and the media server is told in the learner's name to give their camera to
 * the others alone: it enforces that, whatever a client asks for.
 */
export class PairFilter {
  /** The learners hidden from this one. */
  readonly #hidden = new Set<UserId>();
  /** The participants of the media room, by identity, as last reported by the media server. */
  readonly #others = new Map<string, ParticipantInfo>();
  #ends: Ends | null = null;
  /** The participants permitted to subscribe; null: everybody. */
  #permitted: string | null = null;
  readonly #tcpPorts: TcpPorts | undefined;

  /** @param tcpPorts of the media server, where a relay passes media over TCP on to it. */
  constructor(tcpPorts?: TcpPorts) {
    this.#tcpPorts = tcpPorts;
  }

  /**
   * Starts filtering. The media server's first message, the participants, is answered before the client can
   * publish; a resumed connection keeps its earlier permissions.
   */
  attach(ends: Ends): void {
    this.#ends = ends;
  }

  /**
   * The part of a media server's message that the client may see, with the TCP port that the client is to use;
   * null: nothing. Throws if it is malformed.
   */
  visiblePart(data: Uint8Array): Uint8Array | null {
    const response = SignalResponse.fromBinary(data);
    const { message } = response;
    if (message.case === 'join') {
      const { otherParticipants } = message.value;
      message.value.otherParticipants = this.#learn(otherParticipants);
      const isWhole = message.value.otherParticipants.length === otherParticipants.length;
      return isWhole ? data : response.toBinary();
    }
    if (message.case !== 'update') {
      const isChanged = this.#tcpPorts && showPort(response, this.#tcpPorts);
      return isChanged ? response.toBinary() : data;
    }
    const { participants } = message.value;
    const visible = this.#learn(participants);
    if (visible.length === participants.length) return data;
    message.value.participants = visible;
    return visible.length > 0 ? response.toBinary() : null;
  }

  /** A block with another learner was made or lifted. */
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

  /** @returns the participants that the client may see. */
  #learn(participants: readonly ParticipantInfo[]): ParticipantInfo[] {
    for (const info of participants) {
      if (info.state === ParticipantInfo_State.DISCONNECTED) this.#others.delete(info.identity);
      else this.#others.set(info.identity, info);
    }
    this.#permit();
    return participants.filter((info) => !this.#hidden.has(userIdOf(info)));
  }

  /** Sends the list of permitted subscribers of the learner's camera, if it changed. */
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

  /** So that the client gets the camera again only after it has been told of the participant again. */
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
