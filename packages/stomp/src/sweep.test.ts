import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { Sweep } from './sweep.ts';

it('[HB9] calls everything at each tick, until it is removed, also from within a tick', () => {
  const clock = new FakeClock();
  const sweep = new Sweep(clock, 100);
  const ticks: number[] = [];
  const removed = { onTick: () => ticks.push(-1) };
  const remover = { onTick: () => sweep.remove(removed) };
  const kept = { onTick: (nowMs: number) => ticks.push(nowMs) };
  const startMs = clock.nowMs();
  for (const each of [remover, removed, kept]) sweep.add(each);
  clock.advance(350);
  expect(ticks).toEqual([100, 200, 300].map((ms) => startMs + ms));
  sweep.remove(remover);
  sweep.remove(kept);
  expect([sweep.size, clock.running]).toEqual([0, 0]);
  sweep.add(kept);
  expect(clock.running).toBe(1);
});
