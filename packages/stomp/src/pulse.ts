import type { HeartBeatPlan } from './heart-beat.ts';
import type { Wire } from './session-context.ts';
import type { TimerWheel } from './timer-wheel.ts';
import { HEART_BEAT } from './websocket-frame.ts';

/**
 * Handles a session's heart-beats: sends one if nothing was written in the interval, pings a
 * quiet client. Returns when to check again (Infinity: never), or 'silent' when the
 * client has been quiet for too long.
 */
export function keepPulse(
  plan: HeartBeatPlan,
  wire: Wire,
  wheel: TimerWheel,
  nowMs: number,
): number | 'silent' {
  const heardMs = Math.max(wire.lastReadMs, wheel.wokeMs);
  const quietMs = nowMs - heardMs;
  if (plan.silenceMs > 0 && quietMs >= plan.silenceMs) return 'silent';
  let lookAgainMs = plan.silenceMs > 0 ? heardMs + plan.silenceMs : Number.POSITIVE_INFINITY;
  if (plan.pingMs > 0) {
    if (quietMs >= plan.pingMs) wire.ping();
    else lookAgainMs = heardMs + plan.pingMs;
  }
  return Math.min(lookAgainMs, beat(plan, wire, wheel, nowMs));
}

function beat(plan: HeartBeatPlan, wire: Wire, wheel: TimerWheel, nowMs: number): number {
  if (plan.sendMs === 0) return Number.POSITIVE_INFINITY;
  // Early by the wheel's tolerance, so that the interval is kept.
  const beatMs = Math.max(plan.sendMs - 2 * wheel.tickMs, plan.sendMs / 2);
  if (nowMs - wire.lastWriteMs >= beatMs) {
    wire.write(HEART_BEAT);
    wire.lastWriteMs = nowMs;
  }
  return wire.lastWriteMs + beatMs;
}
