import { type Frame, StompProtocolError } from './frame.ts';
import type { StompLimits } from './limits.ts';

/** The open transactions of a session: frames held until COMMIT, dropped by ABORT. */
export class Transactions {
  readonly #limits: StompLimits;
  readonly #open = new Map<string, Frame[]>();
  #heldFrames = 0;
  #heldBytes = 0;

  constructor(limits: StompLimits) {
    this.#limits = limits;
  }

  begin(name: string): void {
    if (this.#open.has(name)) throw new StompProtocolError('transaction is already open');
    if (this.#open.size >= this.#limits.transactions) {
      throw new StompProtocolError('too many open transactions');
    }
    this.#open.set(name, []);
  }

  /** Keeps a copy of the frame for COMMIT. */
  hold(name: string, frame: Frame): void {
    const frames = this.#frames(name);
    this.#heldFrames += 1;
    this.#heldBytes += sizeOf(frame);
    if (this.#heldFrames > this.#limits.heldFrames || this.#heldBytes > this.#limits.heldBytes) {
      throw new StompProtocolError('open transactions hold too much');
    }
    frames.push({ ...frame, body: Buffer.from(frame.body) });
  }

  /** Ends the transaction, by COMMIT or ABORT, and gives its frames in the order they came. */
  end(name: string): Frame[] {
    const frames = this.#frames(name);
    this.#open.delete(name);
    this.#heldFrames -= frames.length;
    for (const frame of frames) this.#heldBytes -= sizeOf(frame);
    return frames;
  }

  #frames(name: string): Frame[] {
    const frames = this.#open.get(name);
    if (!frames) throw new StompProtocolError('unknown transaction');
    return frames;
  }
}

function sizeOf(frame: Frame): number {
  let characters = frame.command.length;
  for (const [name, value] of frame.headers) characters += name.length + value.length;
  return characters * 2 + frame.body.length;
}
