import { DAY_MS, HOUR_MS } from '@mogakgong/contract';
import { describe, expect, it } from 'vitest';
import { reportWeight, TRUSTED_WEIGHT } from './report-weight.ts';

const regular = { accountAgeMs: 30 * DAY_MS, studyMs: 50 * HOUR_MS, decided: 0, dismissed: 0 };
const weightOf = (differs: Partial<typeof regular>) => reportWeight({ ...regular, ...differs });

describe('the weight of a report', () => {
  it.each([
    ['W1', 'an account of this moment', { accountAgeMs: 0 }, 0],
    ['W1', 'an account of half a week', { accountAgeMs: 3.5 * DAY_MS }, 0.5],
    ['W1', 'an account of a week', { accountAgeMs: 7 * DAY_MS }, 1],
    ['W1', 'an account of the future, by another clock', { accountAgeMs: -DAY_MS }, 0],
    ['W2', 'no focus', { studyMs: 0 }, 0],
    ['W2', 'an hour of focus', { studyMs: HOUR_MS }, 0.2],
    ['W2', 'five hours of focus', { studyMs: 5 * HOUR_MS }, 1],
    ['W3', 'an old account with little focus', { studyMs: HOUR_MS / 2 }, 0.1],
    ['W3', 'much focus in a new account', { accountAgeMs: 0.7 * DAY_MS }, 0.1],
    ['W4', 'reports that were right', { decided: 8 }, 1],
    ['W4', 'a first report that was dismissed', { decided: 1, dismissed: 1 }, 2 / 3],
    ['W4', 'two of two that were dismissed', { decided: 2, dismissed: 2 }, 0.5],
    ['W4', 'ten of ten that were dismissed', { decided: 10, dismissed: 10 }, 1 / 6],
    ['W4', 'two of ten that were dismissed', { decided: 10, dismissed: 2 }, 10 / 12],
  ])('%s: %s', (_rule, _what, differs, weight) => {
    expect(weightOf(differs)).toBeCloseTo(weight, 10);
  });

  it('W5: is trusted from one half on', () => {
    expect(weightOf({ accountAgeMs: 3.5 * DAY_MS })).toBe(TRUSTED_WEIGHT);
    expect(weightOf({ accountAgeMs: 3.4 * DAY_MS })).toBeLessThan(TRUSTED_WEIGHT);
    expect(weightOf({ decided: 3, dismissed: 3 })).toBeLessThan(TRUSTED_WEIGHT);
  });
});
