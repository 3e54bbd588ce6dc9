import { passwordWork, UserId } from '@mogakgong/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type PasswordOrigin, PasswordWork } from './password-work.ts';

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
    ask(name: string, address: string, more: Partial<PasswordOrigin> = {}) {
      const asking = work.do(
        { address, knownBrowser: null, ...more },
        async () => void done.push(name),
      );
      asked.push(asking.catch((error: { row: string }) => refused.push(`${name} ${error.row}`)));
    },
    async finish() {
      first.resolve();
      await Promise.all(asked);
    },
  };
}

const known = (account: number, id = 'browser') => ({
  knownBrowser: { userId: UserId.parse(account), id },
});
const isSignUp = { isSignUp: true } as const;

describe('passwords that wait', () => {
  it('come one at a time, one of each network in turn, a /48 as one', async () => {
    const { ask, done, finish } = occupied();
    for (const name of ['a1', 'a2', 'a3']) ask(name, '10.0.0.1');
    ask('b1', '10.0.1.1');
    ask('b2', '10.0.1.200');
    for (const name of ['c1', 'c2']) ask(name, `2001:db8:5:${name}::1`);
    await finish();
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3']);
  });

  it('come from known browsers and strangers alternately, one of each account in turn', async () => {
    const { ask, done, finish } = occupied();
    for (const name of ['k1', 'k2', 'k3', 'k4']) ask(name, `10.0.${name[1]}.1`, known(1, name));
    ask('other', '10.0.9.1', known(2));
    for (const name of ['s1', 's2', 's3']) ask(name, '10.0.8.1');
    await finish();
    expect(done).toEqual(['k1', 's1', 'other', 's2', 'k2', 's3', 'k3', 'k4']);
  });

  it('of sign-ups get every third turn while others wait', async () => {
    const { ask, done, finish } = occupied();
    for (const name of ['n1', 'n2', 'n3']) ask(name, '10.0.8.1', isSignUp);
    for (const name of ['s1', 's2', 's3']) ask(name, '10.0.8.1');
    await finish();
    expect(done).toEqual(['s1', 's2', 'n1', 's3', 'n2', 'n3']);
  });

  it('are so many at most: the longest line makes room for others, and not for itself', async () => {
    const { ask, done, refused, finish } = occupied();
    for (let at = 0; at < passwordWork.waitingMax; at += 1) ask(`a${at}`, '10.0.0.1');
    ask('one more of them', '10.0.0.1');
    ask('another', '10.0.1.1');
    ask('known', '10.0.0.1', known(1));
    await finish();
    const last = passwordWork.waitingMax - 1;
    expect(refused).toEqual([
      ...['one more of them', `a${last}`].map((name) => `${name} unavailable`),
    ]);
    expect(done.slice(0, 3)).toEqual(['known', 'a0', 'another']);
    expect(done).toHaveLength(passwordWork.waitingMax + 1);
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
