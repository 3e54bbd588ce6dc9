import type { Duplex } from 'node:stream';
import { SOCKETS_PER_USER, type UserId } from '@mogakgong/contract';

/** The open sockets of learners: each counts until it is closed, even if its client has said DISCONNECT. */
export class LearnerSockets {
  readonly #open = new Map<UserId, Set<Duplex>>();

  /** Counts a socket until it closes; false if the learner has too many. */
  hold(userId: UserId, socket: Duplex): boolean {
    if (socket.destroyed) return true;
    const own = this.#open.get(userId) ?? new Set();
    if (own.size >= SOCKETS_PER_USER) return false;
    this.#open.set(userId, own.add(socket));
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0) this.#open.delete(userId);
    });
    return true;
  }
}
