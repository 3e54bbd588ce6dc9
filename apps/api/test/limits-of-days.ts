import { DAY_MS } from '@mogakgong/contract';
import { createLimits, type Limits } from '../src/platform/limits/index.ts';

/** Limits whose rates of a day allow a hundredth, and whose others are never reached: a test reaches a day's at once. */
export function limitsOfDays(): Limits {
  const { shared, ...limits } = createLimits({ scale: 1_000 });
  return {
    ...limits,
    shared: (name, { max, windowMs }) =>
      shared(name, { max: windowMs === DAY_MS ? max / 100_000 : max, windowMs }),
  };
}
