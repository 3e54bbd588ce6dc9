import type { MaybePromise } from './answers.ts';
import { type Frame, StompProtocolError, type StompVersion } from './frame.ts';
import { FrameParser } from './frame-parser.ts';
import { createBudget, type TokenBucket } from './limits.ts';
import type { SessionContext, Wire } from './session-context.ts';

type ReaderContext = Pick<SessionContext<never, never>, 'limits' | 'clock'>;

/** Carries out the frames of one client. */
export interface FrameHandler {
  readonly isReading: boolean;
  /** The next frame is handled when this one is done. */
  handle(frame: Frame): MaybePromise<void>;
  /** @param frame that failed; undefined if it could not be parsed. */
  fail(error: unknown, frame: Frame | undefined): void;
  frameDone(): void;
}

/** Hands the frames of one client over, one after the other, at its budget at most. */
export class FrameReader {
  readonly #handler: FrameHandler;
  readonly #wire: Wire;
  readonly #context: ReaderContext;
  readonly #parser: FrameParser;
  readonly #budget: TokenBucket | undefined;
  #isBusy = false;
  #isPaused = false;

  constructor(handler: FrameHandler, wire: Wire, context: ReaderContext) {
    this.#handler = handler;
    this.#wire = wire;
    this.#context = context;
    this.#parser = new FrameParser(context.limits);
    this.#budget = createBudget(context.limits, context.clock.nowMs());
  }

  /** A hook is working on a frame; the bytes after it wait in the parser. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Nothing is read from the client, because too much waits. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  set version(version: StompVersion) {
    this.#parser.version = version;
  }

  /** Takes the bytes of one WebSocket message. */
  receive(chunk: Buffer): void {
    if (!this.#handler.isReading) return;
    this.#parser.push(chunk);
    this.#work();
    const tooMuch = this.#parser.waitingBytes > this.#context.limits.frameBytes;
    if (this.#isBusy && tooMuch && !this.#isPaused) {
      this.#isPaused = true;
      this.#wire.pauseReading();
    }
  }

  #work(): void {
    try {
      while (!this.#isBusy && this.#handler.isReading) {
        const frame = this.#parser.next();
        if (!frame) break;
        this.#take(frame);
      }
    } catch (error) {
      this.#handler.fail(error, undefined);
    }
    if (!this.#isBusy && this.#isPaused) {
      this.#isPaused = false;
      this.#wire.lastReadMs = this.#context.clock.nowMs();
      this.#wire.resumeReading();
    }
  }

  #take(frame: Frame): void {
    this.#isBusy = true;
    try {
      if (this.#budget?.take(1, this.#context.clock.nowMs()) === false)
        throw new StompProtocolError('too many frames a second');
      const done = this.#handler.handle(frame);
      if (done instanceof Promise) {
        void this.#finishLater(done, frame);
        return;
      }
    } catch (error) {
      this.#handler.fail(error, frame);
    }
    this.#done();
  }

  async #finishLater(done: Promise<void>, frame: Frame): Promise<void> {
    try {
      await done;
    } catch (error) {
      this.#handler.fail(error, frame);
    }
    this.#done();
    this.#work();
  }

  #done(): void {
    this.#isBusy = false;
    this.#handler.frameDone();
  }
}
