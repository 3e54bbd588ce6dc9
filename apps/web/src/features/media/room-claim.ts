import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';

/**
 * Makes sure that one tab of the browser holds the room. The last one to claim it has it; the tab
 * before hears of it at once, also one that was frozen meanwhile, and does not fight for the seat.
 */
export class RoomClaim {
  readonly #tab = crypto.randomUUID?.() ?? String(Math.random());
  #stop = () => {};

  /** Takes the room for this tab; `onTaken` is called once when another tab takes it. */
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

  /** True unless another tab has taken the room since. */
  isHeld(): boolean {
    const holder = readStored(storageKeys.roomTab);
    return holder === null || holder === this.#tab;
  }

  /** Stops listening. The key stays: it is only ever read to find out who came last. */
  release(): void {
    this.#stop();
  }
}
