import type { Duplex } from 'node:stream';
import { unconnectedLimits } from '@mogakgong/contract';
import { clientNetwork } from './address-block.ts';

/** A WebSocket on which nobody has been recognised yet. */
export interface UnconnectedSocket {
  /** Somebody has: from now on the limits of that learner count. */
  release(): void;
}

/**
 * Counts the connections that nobody has logged in on yet, which cost memory and belong to nobody:
 * by client address and in total.
 */
export class UnconnectedSockets {
  readonly #perAddress: number;
  readonly #total: number;
  readonly #counts = new Map<string, number>();
  #count = 0;

  constructor(scale: number) {
    this.#perAddress = Math.max(1, Math.round(unconnectedLimits.perAddress * scale));
    this.#total = Math.max(1, Math.round(unconnectedLimits.total * scale));
  }

  /** Counts a connection until it is released or closed; the HTTP status that refuses it if too many. */
  count(address: string, socket: Duplex): UnconnectedSocket | { readonly status: 429 | 503 } {
    const network = clientNetwork(address);
    const known = this.#counts.get(network) ?? 0;
    if (known >= this.#perAddress) return { status: 429 };
    if (this.#count >= this.#total) return { status: 503 };
    this.#counts.set(network, known + 1);
    this.#count += 1;
    let isCounted = true;
    const release = () => {
      socket.off('close', release);
      if (isCounted) this.#discount(network);
      isCounted = false;
    };
    socket.once('close', release);
    return { release };
  }

  #discount(network: string): void {
    const left = (this.#counts.get(network) ?? 0) - 1;
    if (left > 0) this.#counts.set(network, left);
    else this.#counts.delete(network);
    this.#count -= 1;
  }
}
