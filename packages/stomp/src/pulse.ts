import { HEART_BEAT } from './encode-frame.ts';
import type { HeartBeatPlan } from './heart-beat.ts';
import type { Wire } from './session-context.ts';
import type { Sweep } from './sweep.ts';

/** The heart-beats of one connected session, checked at every tick of the sweep. */
export class Pulse {
  readonly plan: HeartBeatPlan;
  readonly #wire: Wire;
  readonly #sweep: Sweep;
  #pingedMs = Number.NEGATIVE_INFINITY;

  constructor(plan: HeartBeatPlan, wire: Wire, sweep: Sweep) {
    this.plan = plan;
    this.#wire = wire;
    this.#sweep = sweep;
  }

  /** Sends a heart-beat or ping where one is due. @returns false when the client was silent for too long. */
  beat(nowMs: number): boolean {
    const { sendMs, silenceMs, pingMs } = this.plan;
    const heardMs = Math.max(this.#wire.lastReadMs, this.#sweep.wokeMs);
    if (silenceMs > 0 && nowMs - heardMs >= silenceMs) return false;
    if (pingMs > 0 && nowMs - Math.max(heardMs, this.#pingedMs) >= pingMs) {
      this.#pingedMs = nowMs;
      this.#wire.ping();
    }
    // Early by two ticks, so that the interval is kept.
    const beatMs = Math.max(sendMs - 2 * this.#sweep.tickMs, sendMs / 2);
    if (sendMs > 0 && nowMs - this.#wire.lastWriteMs >= beatMs) {
      this.#wire.lastWriteMs = nowMs;
      this.#wire.write(HEART_BEAT);
    }
    return true;
  }
}
