import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';

/**
 * Makes sure that one tab of the browser holds the room. The last tab to claim it wins; the previous one is
 * told at once, even after a freeze, and does not claim the seat back.
 */
export class RoomClaim {
  readonly #tab = crypto.randomUUID?.() ?? String(Math.random());
  #stop = () => {};

  /** Claims the room for this tab; `onTaken` is called once when another tab claims it. */
  take(onTaken: () => void): void {
    this.release();
    writeStored(storageKeys.roomTab, this.#tab);
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key !== storageKeys.roomTab || newValue === null || newValue === this.#tab) return;
      this.release();
      onTaken();
    };
    window.addEventListener('storage', onStorage);
    this.#stop = () => window.removeEventListener('storage', onStorage);
  }

  /** True unless another tab has claimed the room since. */
  isHeld(): boolean {
    const holder = readStored(storageKeys.roomTab);
    return holder === null || holder === this.#tab;
  }

  /** Stops listening. The key stays: it only tells which tab claimed last. */
  release(): void {
    this.#stop();
  }
}
