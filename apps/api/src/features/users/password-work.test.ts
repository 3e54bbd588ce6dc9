import { passwordWork } from '@mogakgong/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PasswordWork } from './password-work.ts';

vi.mock('node:os', () => ({ availableParallelism: () => 2 }));
afterEach(() => void vi.useRealTimers());

/** Passwords that are asked for while another one is being hashed, until `finish`. */
function occupied() {
  const work = new PasswordWork();
  const first = Promise.withResolvers<void>();
  void work.do({ address: '10.0.0.1', knownBrowser: null }, () => first.promise);
  const done: string[] = [];
  const refused: string[] = [];
  const asked: Promise<unknown>[] = [];
  return {
    done,
    refused,
    ask(name: string, address: string, knownBrowser: string | null = null) {
      const asking = work.do({ address, knownBrowser }, async () => void done.push(name));
      asked.push(asking.catch((error: { row: string }) => refused.push(`${name} ${error.row}`)));
    },
    async finish() {
      first.resolve();
      await Promise.all(asked);
    },
  };
}

describe('passwords that wait', () => {
  it('come one at a time: known browsers first, then one of each address block in turn', async () => {
    const { ask, done, finish } = occupied();
    for (const name of ['a1', 'a2', 'a3']) ask(name, '10.0.0.1');
    ask('b1', '10.0.1.1');
    ask('b2', '10.0.1.200');
    ask('known', '10.0.0.1', 'browser');
    await finish();
    expect(done).toEqual(['known', 'a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('are so many at most: the longest line makes room for others, and not for itself', async () => {
    const { ask, done, refused, finish } = occupied();
    for (let at = 0; at < passwordWork.waitingMax; at += 1) ask(`a${at}`, '10.0.0.1');
    ask('one more of them', '10.0.0.1');
    ask('another', '10.0.1.1');
    ask('known', '10.0.0.1', 'browser');
    await finish();
    const last = passwordWork.waitingMax - 1;
    expect(refused).toEqual([
      ...['one more of them', `a${last}`, `a${last - 1}`].map((name) => `${name} unavailable`),
    ]);
    expect(done.slice(0, 3)).toEqual(['known', 'a0', 'another']);
    expect(done).toHaveLength(passwordWork.waitingMax);
  });

  it('are refused when they have waited two seconds', async () => {
    vi.useFakeTimers();
    const { ask, done, refused, finish } = occupied();
    ask('early', '10.0.0.1');
    vi.advanceTimersByTime(passwordWork.waitMaxMs - 1);
    ask('late', '10.0.0.1');
    vi.advanceTimersByTime(1);
    await finish();
    expect(refused).toEqual(['early unavailable']);
    expect(done).toEqual(['late']);
  });
});
