import { DAY_MS } from '@mogakgong/contract';
import { createLimits, type Limits } from '../src/platform/limits/index.ts';

/** Limits with a hundredth of their rates of a day, and no others: a test reaches a day's at once. */
export function limitsOfDays(): Limits {
  const { shared, ...limits } = createLimits({ scale: 1_000 });
  return {
    ...limits,
    shared: (name, { max, windowMs }) =>
      shared(name, { max: windowMs === DAY_MS ? max / 100_000 : max, windowMs }),
  };
}
