import type { Wire } from '../src/session-context.ts';

/** A wire without a network, for internal behaviour and for fast fuzzing. */
export class FakeWire implements Wire {
  lastReadMs = 0;
  lastWriteMs = 0;
  waitingBytes = 0;
  isReading = true;
  closedWith: number | undefined;
  written: Buffer[] = [];

  write(bytes: Buffer): void {
    this.written.push(bytes);
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
