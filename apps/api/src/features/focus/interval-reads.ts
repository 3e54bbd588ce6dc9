import { fewAtOnce } from '../../platform/batch/index.ts';

/**
 * Questions of one kind that read intervals: with very many they take a second, and the other connections of the
 * database are for everybody else.
 */
export const INTERVAL_READS_AT_ONCE = 2;

/**
 * A line of questions that read many intervals, in this process. Each asker, or each group, has one question in
 * it, so that nobody waits for many of another.
 */
export function createIntervalLine<Key>() {
  const ofOne = fewAtOnce<Key>(1);
  const ofAll = fewAtOnce<'all'>(INTERVAL_READS_AT_ONCE);
  return <Answer>(key: Key, ask: () => Promise<Answer>): Promise<Answer> =>
    ofOne(key, () => ofAll('all', ask));
}
