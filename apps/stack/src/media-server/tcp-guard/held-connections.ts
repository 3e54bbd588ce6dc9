import type { Socket } from 'node:net';
import { networkOf } from './network.ts';

/** Connections that are held at once. */
export interface ConnectionLimits {
  /** Of one network: an IPv4 address, or a /64 of IPv6. */
  readonly perNetwork: number;
  /** Of one participant's way to LiveKit. */
  readonly perParticipant: number;
  readonly total: number;
}

/** A connection from outside. */
export interface HeldConnection {
  readonly socket: Socket;
  readonly network: string;
  /** Whether LiveKit has answered it, which it does for participants only. */
  isProven: boolean;
  /** LiveKit's name for the participant's way, as the first request gives it. */
  participant?: string;
}

/** The open connections. Beyond a limit one more takes the place of the oldest that is not proven. */
export class HeldConnections {
  readonly #limits: ConnectionLimits;
  /** In the order in which they came. */
  readonly #all = new Set<HeldConnection>();
  readonly #byNetwork = new Map<string, Set<HeldConnection>>();
  readonly #byParticipant = new Map<string, Set<HeldConnection>>();
  readonly #onDrop: () => void;

  /** @param onDrop is called when one was closed, or not taken, for the sake of a limit. */
  constructor(limits: ConnectionLimits, onDrop: () => void) {
    this.#limits = limits;
    this.#onDrop = onDrop;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Holds a connection until it closes; null if there is no place, and then it is closed. */
  hold(socket: Socket): HeldConnection | null {
    const network = networkOf(socket.remoteAddress ?? '');
    const neighbours = this.#byNetwork.get(network) ?? new Set();
    const { perNetwork, total } = this.#limits;
    if (!(this.#makeRoom(neighbours, perNetwork) && this.#makeRoom(this.#all, total))) {
      this.#onDrop();
      socket.resetAndDestroy();
      return null;
    }
    const connection: HeldConnection = { socket, network, isProven: false };
    this.#all.add(connection);
    this.#byNetwork.set(network, neighbours.add(connection));
    socket.once('close', () => this.#release(connection));
    return connection;
  }

  /** Counts a connection as one of a participant. The oldest of too many closes, whatever it has proven. */
  assign(connection: HeldConnection, participant: string): void {
    const others = this.#byParticipant.get(participant) ?? new Set();
    const [oldest] = others;
    if (oldest && others.size >= this.#limits.perParticipant) this.#drop(oldest);
    connection.participant = participant;
    this.#byParticipant.set(participant, others.add(connection));
  }

  closeAll(): void {
    for (const { socket } of this.#all) socket.destroy();
  }

  /** @returns whether there is room for one more. */
  #makeRoom(connections: ReadonlySet<HeldConnection>, limit: number): boolean {
    if (connections.size < limit) return true;
    const oldest = connections.values().find(({ isProven }) => !isProven);
    if (oldest === undefined) return false;
    this.#drop(oldest);
    return true;
  }

  #drop(connection: HeldConnection): void {
    this.#onDrop();
    this.#release(connection);
    connection.socket.resetAndDestroy();
  }

  #release(connection: HeldConnection): void {
    this.#all.delete(connection);
    removeFrom(this.#byNetwork, connection.network, connection);
    if (connection.participant !== undefined) {
      removeFrom(this.#byParticipant, connection.participant, connection);
    }
  }
}

function removeFrom(
  groups: Map<string, Set<HeldConnection>>,
  key: string,
  connection: HeldConnection,
): void {
  const group = groups.get(key);
  group?.delete(connection);
  if (group?.size === 0) groups.delete(key);
}
