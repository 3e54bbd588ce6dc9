import type { UserId } from '@mogakgong/contract';
import { fewAtOnce } from '../../platform/batch/index.ts';

/**
 * Questions, of all learners, that read intervals: with very many they take a second, and the other connections of
 * the database are for everybody else.
 */
export const INTERVAL_READS_AT_ONCE = 2;

const ofLearner = fewAtOnce<UserId>(1);
const ofAll = fewAtOnce<'all'>(INTERVAL_READS_AT_ONCE);

/**
 * Asks a question that reads many intervals, in the line of this process. A learner has one question in it, so
 * that nobody waits for many of another.
 */
export const readIntervals = <Answer>(
  askerId: UserId,
  ask: () => Promise<Answer>,
): Promise<Answer> => ofLearner(askerId, () => ofAll('all', ask));
