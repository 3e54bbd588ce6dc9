import type { Wire } from '../src/session-context.ts';

/** A wire without a network, for internal behaviour and for fast fuzzing. */
export class FakeWire implements Wire {
  lastReadMs = 0;
  lastWriteMs = 0;
  waitingBytes = 0;
  isReading = true;
  closedWith: number | undefined;
  written: Buffer[] = [];
  readonly #counts: Record<string, number>;

  /** Counts the frames of the commands that `counts` has. */
  constructor(counts: Record<string, number> = {}) {
    this.#counts = counts;
  }

  write(bytes: Buffer): void {
    this.written.push(bytes);
    const [command = ''] = /[A-Z]{2,}/u.exec(bytes.toString('latin1', 0, 32)) ?? [];
    if (command in this.#counts) this.#counts[command] = (this.#counts[command] ?? 0) + 1;
  }

  dropQueued(): void {
    this.written = [];
  }

  ping(): void {}

  pauseReading(): void {
    this.isReading = false;
  }

  resumeReading(): void {
    this.isReading = true;
  }

  close(code: number): void {
    this.closedWith = code;
  }
}
