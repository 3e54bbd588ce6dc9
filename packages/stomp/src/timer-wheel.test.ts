import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { TimerWheel, type WheelEntry } from './timer-wheel.ts';

class TestEntry implements WheelEntry {
  wheelDueMs = 0;
  wheelPrevious: WheelEntry | undefined;
  wheelNext: WheelEntry | undefined;
  wheelSlot = -1;
  firedMs: number[] = [];

  onDue(nowMs: number): void {
    this.firedMs.push(nowMs);
  }
}

it('[HB9] fires every entry once, never early, at most two ticks late', () => {
  const delays = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(delays, fc.integer({ min: 1, max: 1_000 }), (delaysMs, tickMs) => {
      const clock = new FakeClock();
      const wheel = new TimerWheel(clock, tickMs);
      const startMs = clock.nowMs();
      const all = delaysMs.map((delayMs) => {
        const entry = new TestEntry();
        wheel.schedule(entry, startMs + delayMs);
        return { entry, dueMs: startMs + delayMs };
      });
      clock.advance(Math.max(...delaysMs) + 2 * tickMs);
      for (const { entry, dueMs } of all) {
        expect(entry.firedMs).toHaveLength(1);
        const lateMs = (entry.firedMs[0] as number) - dueMs;
        expect(lateMs).toBeGreaterThanOrEqual(0);
        expect(lateMs).toBeLessThanOrEqual(2 * tickMs);
      }
      expect(wheel.size).toBe(0);
      expect(clock.running).toBe(0);
    }),
    { numRuns: 50 },
  );
});

it('[HB9] moves and removes appointments, also from within one', () => {
  const clock = new FakeClock();
  const wheel = new TimerWheel(clock, 100);
  const [moved, removed, remover] = [new TestEntry(), new TestEntry(), new TestEntry()];
  remover.onDue = () => wheel.remove(removed);
  wheel.schedule(removed, clock.nowMs() + 1_000);
  wheel.schedule(moved, clock.nowMs() + 1_000);
  wheel.schedule(remover, clock.nowMs() + 1_000);
  wheel.schedule(moved, clock.nowMs() + 5_000);
  clock.advance(2_000);
  expect([moved.firedMs.length, removed.firedMs.length]).toEqual([0, 0]);
  clock.advance(4_000);
  expect(moved.firedMs).toHaveLength(1);
  expect(wheel.size).toBe(0);
});
