import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NumberedLog } from './numbered-log.ts';

const OVERTAKEN_MS = 50;
const item = (number: number) => ({ number });

/** A log over a table that a test fills; its fills are answered at once. */
function createLog(fillFrom: 'items' | 'snapshot' = 'items') {
  const delivered: (number | string)[] = [];
  const failures: unknown[] = [];
  const state = { table: 0, fills: 0, isBroken: false };
  const log: NumberedLog<{ number: number }> = new NumberedLog({
    deliver: ({ number }) => void delivered.push(number),
    fill: async () => {
      state.fills += 1;
      if (state.isBroken) throw new Error('the database is away');
      if (fillFrom === 'snapshot') {
        if (log.moveTo(state.table)) delivered.push(`snapshot ${state.table}`);
        log.advance();
      } else {
        const missing = Array.from({ length: state.table - log.number }, (_, at) =>
          item(log.number + at + 1),
        );
        log.receive(missing);
      }
    },
    overtakenMs: OVERTAKEN_MS,
    onFailure: (error) => failures.push(error),
  });
  const begin = (number: number) => {
    log.moveTo(number);
    log.advance();
  };
  return { log, begin, delivered, failures, state };
}

const upTo = (last: number, from = 1) =>
  Array.from({ length: last - from + 1 }, (_, at) => from + at);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('rule 1: every item is delivered in order, once', () => {
  for (const fillFrom of ['items', 'snapshot'] as const) {
    it(`whatever is lost, repeated or reordered; filled from ${fillFrom}`, async () => {
      const fates = fc.array(fc.constantFrom('comes', 'comes twice', 'is late', 'is lost'), {
        minLength: 1,
        maxLength: 40,
      });
      await fc.assert(
        fc.asyncProperty(fates, fc.infiniteStream(fc.nat()), async (plan, order) => {
          const { log, begin, delivered, state } = createLog(fillFrom);
          begin(0);
          const late: number[] = [];
          for (const fate of plan) {
            state.table += 1;
            const place = (order.next().value ?? 0) % (late.length + 1);
            if (fate.startsWith('comes')) log.receive([item(state.table)]);
            if (fate === 'is late') late.splice(place, 0, state.table);
            if (fate === 'comes twice') late.splice(place, 0, state.table);
          }
          log.receive(late.map(item));
          log.expectUpTo(state.table);
          await vi.advanceTimersByTimeAsync(10 * OVERTAKEN_MS);
          log.close();
          let number = 0;
          for (const step of delivered) {
            if (typeof step === 'number') expect(step).toBe(number + 1);
            number = typeof step === 'number' ? step : Number(step.split(' ')[1]);
          }
          expect(number).toBe(state.table);
        }),
        { numRuns: 200 },
      );
    });
  }
});

it('rule 2: what comes before the first snapshot waits for it', async () => {
  const { log, begin, delivered, state } = createLog();
  log.receive([item(3), item(5)]);
  log.receive([item(4)]);
  await vi.advanceTimersByTimeAsync(10 * OVERTAKEN_MS);
  expect({ delivered, fills: state.fills }).toEqual({ delivered: [], fills: 0 });
  begin(3);
  expect(delivered).toEqual([4, 5]);
});

describe('rule 3: a missing number is filled', () => {
  it('after the time to be overtaken, not before', async () => {
    const { log, begin, delivered, state } = createLog();
    begin(0);
    state.table = 3;
    log.receive([item(2), item(3)]);
    await vi.advanceTimersByTimeAsync(OVERTAKEN_MS - 1);
    expect({ delivered, fills: state.fills }).toEqual({ delivered: [], fills: 0 });
    await vi.advanceTimersByTimeAsync(1);
    expect({ delivered, fills: state.fills }).toEqual({ delivered: [1, 2, 3], fills: 1 });
  });

  it('under steady traffic too', async () => {
    const { log, begin, delivered, state } = createLog();
    begin(0);
    state.table = 1;
    for (let count = 0; count < 20; count += 1) {
      state.table += 1;
      log.receive([item(state.table)]);
      await vi.advanceTimersByTimeAsync(OVERTAKEN_MS / 5);
    }
    expect(delivered).toEqual(upTo(21));
    expect(state.fills).toBe(1);
  });

  it('and each later hole has a time of its own', async () => {
    const { log, begin, delivered, state } = createLog();
    begin(0);
    state.table = 4;
    log.receive([item(2), item(4)]);
    await vi.advanceTimersByTimeAsync(OVERTAKEN_MS - 1);
    log.receive([item(1)]);
    await vi.advanceTimersByTimeAsync(OVERTAKEN_MS - 1);
    expect({ delivered, fills: state.fills }).toEqual({ delivered: [1, 2], fills: 0 });
    await vi.advanceTimersByTimeAsync(1);
    expect(delivered).toEqual([1, 2, 3, 4]);
  });
});

describe('rule 4: a number that the database names', () => {
  it('shows that the last item is missing', async () => {
    const { log, begin, delivered, state } = createLog();
    begin(0);
    state.table = 2;
    log.expectUpTo(2);
    await vi.advanceTimersByTimeAsync(OVERTAKEN_MS);
    expect(delivered).toEqual([1, 2]);
  });

  it('costs nothing when the item comes in time', async () => {
    const { log, begin, state } = createLog();
    begin(0);
    log.expectUpTo(1);
    log.receive([item(1)]);
    await vi.advanceTimersByTimeAsync(10 * OVERTAKEN_MS);
    expect(state.fills).toBe(0);
  });
});

it('rule 5: a snapshot stands for all items up to its number, when it is ahead', () => {
  const { log, begin, delivered } = createLog();
  begin(2);
  log.receive([item(4), item(5), item(7)]);
  expect(log.moveTo(5)).toBe(true);
  expect(log.moveTo(5)).toBe(false);
  expect(log.moveTo(1)).toBe(false);
  log.receive([item(6)]);
  expect(delivered).toEqual([6, 7]);
  log.close();
});

describe('rule 6: fills', () => {
  it('are shared by all askers of the same moment', async () => {
    const { log, begin, state } = createLog();
    begin(0);
    await Promise.all([log.fill(), log.fill(), log.fill()]);
    expect(state.fills).toBe(1);
  });

  it('that fail are repeated after a second, until they bring what is missing', async () => {
    const { log, begin, delivered, failures, state } = createLog();
    begin(0);
    Object.assign(state, { table: 1, isBroken: true });
    log.expectUpTo(1);
    await vi.advanceTimersByTimeAsync(OVERTAKEN_MS + 2_000);
    expect(failures).toHaveLength(3);
    state.isBroken = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect({ delivered, fills: state.fills }).toEqual({ delivered: [1], fills: 4 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(state.fills).toBe(4);
  });

  it('that bring nothing end, or are repeated each second while later items wait', async () => {
    const { log, begin, state } = createLog();
    begin(0);
    log.expectUpTo(9);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(state.fills).toBe(1);
    log.receive([item(9)]);
    await vi.advanceTimersByTimeAsync(OVERTAKEN_MS + 5_000);
    expect(state.fills).toBe(7);
    log.close();
  });
});

it('rule 7: a closed log delivers nothing and asks for nothing', async () => {
  const { log, begin, delivered, state } = createLog();
  begin(0);
  state.table = 2;
  log.receive([item(2)]);
  log.close();
  log.receive([item(1)]);
  log.expectUpTo(5);
  await log.fill();
  await vi.advanceTimersByTimeAsync(10_000);
  expect({ delivered, fills: state.fills }).toEqual({ delivered: [], fills: 0 });
});
