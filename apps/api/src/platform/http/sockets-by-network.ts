import { networksOf } from './address-block.ts';

/** A socket, the networks of its client, and a function that closes it. */
export interface NetworkSocket {
  readonly networks: readonly string[];
  close(): void;
}

/** Sockets of unauthenticated clients, by each network of their address. */
export class SocketsByNetwork {
  readonly #all = new Set<NetworkSocket>();
  /** The sockets of each network, oldest first; one map for each width. */
  readonly #widths: readonly Map<string, Set<NetworkSocket>>[] = [new Map(), new Map(), new Map()];

  static socketOf(address: string | undefined, close: () => void): NetworkSocket {
    return { networks: networksOf(address).widths, close };
  }

  get size(): number {
    return this.#all.size;
  }

  add(socket: NetworkSocket): void {
    this.#all.add(socket);
    for (const [at, sockets] of this.#widths.entries()) {
      const network = socket.networks[at] ?? '';
      const known = sockets.get(network);
      if (known) known.add(socket);
      else sockets.set(network, new Set([socket]));
    }
  }

  delete(socket: NetworkSocket): boolean {
    if (!this.#all.delete(socket)) return false;
    for (const [at, sockets] of this.#widths.entries()) {
      const network = socket.networks[at] ?? '';
      const known = sockets.get(network);
      known?.delete(socket);
      if (known?.size === 0) sockets.delete(network);
    }
    return true;
  }

  /** Number of open sockets in a socket's network of one width: 0 the narrowest, 2 the widest. */
  count({ networks }: NetworkSocket, width: number): number {
    return this.#widths[width]?.get(networks[width] ?? '')?.size ?? 0;
  }

  /** Closes the oldest in a socket's network of one width; false if there is none. */
  closeOldestBeside({ networks }: NetworkSocket, width: number): boolean {
    return this.#closeOldest(this.#widths[width]?.get(networks[width] ?? ''));
  }

  /** Closes the oldest of the largest wide network; false if there is none. */
  closeOldestOfLargest(): boolean {
    let largest: Set<NetworkSocket> | undefined;
    for (const sockets of this.#widths.at(-1)?.values() ?? []) {
      if (sockets.size > (largest?.size ?? 0)) largest = sockets;
    }
    return this.#closeOldest(largest);
  }

  #closeOldest(sockets: Set<NetworkSocket> | undefined): boolean {
    const [oldest] = sockets ?? [];
    if (!oldest) return false;
    this.delete(oldest);
    oldest.close();
    return true;
  }
}
