import type { Duplex } from 'node:stream';
import { SOCKETS_PER_USER, type UserId, unconnectedLimits } from '@mogakgong/contract';
import { SocketsByNetwork } from './sockets-by-network.ts';

/** A WebSocket that is being opened. */
export interface UnconnectedSocket {
  /** Call it once the learner is known: from then on the learner's own limits apply. */
  release(): void;
}

/**
 * The WebSockets that are being opened. One without a valid token has a short time to show one, and is closed
 * earlier to make room for a newcomer: the oldest of its network, or of the largest network if there are too
 * many in total. One with a valid token only counts for its learner.
 */
export class UnconnectedSockets {
  readonly #perNetwork: readonly number[];
  readonly #total: number;
  readonly #strangers = new SocketsByNetwork();
  readonly #ofLearners = new Map<UserId, Set<Duplex>>();

  constructor(scale: number) {
    const scaled = (count: number) => Math.max(1, Math.round(count * scale));
    this.#perNetwork = unconnectedLimits.perNetwork.map(scaled);
    this.#total = scaled(unconnectedLimits.total);
  }

  /**
   * Holds a WebSocket until it is released or closed.
   * @param userId the holder of the valid token of the upgrade; null without one.
   */
  hold(address: string, socket: Duplex, userId: UserId | null): UnconnectedSocket {
    const end = userId === null ? this.#holdStranger(address, socket) : this.#hold(userId, socket);
    const release = () => {
      socket.off('close', release);
      end();
    };
    socket.once('close', release);
    return { release };
  }

  #holdStranger(address: string, socket: Duplex): () => void {
    const strangers = this.#strangers;
    const stranger = SocketsByNetwork.socketOf(address, () => socket.destroy());
    for (const [width, most] of this.#perNetwork.entries()) {
      if (strangers.count(stranger, width) >= most) strangers.closeOldestBeside(stranger, width);
    }
    if (strangers.size >= this.#total) strangers.closeOldestOfLargest();
    strangers.add(stranger);
    const deadline = setTimeout(() => socket.destroy(), unconnectedLimits.deadlineMs);
    return () => {
      clearTimeout(deadline);
      strangers.delete(stranger);
    };
  }

  #hold(userId: UserId, socket: Duplex): () => void {
    const own = this.#ofLearners.get(userId) ?? new Set();
    const [oldest] = own;
    if (oldest && own.size >= SOCKETS_PER_USER) {
      // At once, so that the next of a burst finds another oldest one.
      own.delete(oldest);
      oldest.destroy();
    }
    this.#ofLearners.set(userId, own.add(socket));
    return () => {
      own.delete(socket);
      if (own.size === 0) this.#ofLearners.delete(userId);
    };
  }
}
