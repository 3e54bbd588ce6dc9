import { DAY_MS, HOUR_MS } from '@mogakgong/contract';

/** Account age of full weight (W1). */
const FULL_AGE_MS = 7 * DAY_MS;
/** Focus of full weight (W2). */
const FULL_STUDY_MS = 5 * HOUR_MS;
/** Assumed number of justified earlier reports (W4). */
const ASSUMED_RIGHT = 2;
/** Minimum weight of a report that counts towards an automatic measure (W5). */
export const TRUSTED_WEIGHT = 0.5;

/** A reporter's history before a report. */
export interface ReporterRecord {
  readonly accountAgeMs: number;
  /** Focus in closed intervals. */
  readonly studyMs: number;
  /** Number of decided own reports. */
  readonly decided: number;
  /** Number of them that were dismissed. */
  readonly dismissed: number;
}

const upToOne = (value: number) => Math.min(1, Math.max(0, value));

/**
 * The weight of a report, 0 to 1 (decision 064):
 * - W1: the age of the account counts up to 7 days, in proportion;
 * - W2: focus counts up to 5 hours, in proportion;
 * - W3: the smaller of the two counts, so that neither waiting nor a running timer is enough;
 * - W4: it is multiplied by the share of own reports that were not dismissed, where two that were right
 *   are assumed: one mistake is no habit;
 * - W5: from one half on a reporter is trusted.
 */
export function reportWeight(record: ReporterRecord): number {
  const { accountAgeMs, studyMs, decided, dismissed } = record;
  const trust = Math.min(upToOne(accountAgeMs / FULL_AGE_MS), upToOne(studyMs / FULL_STUDY_MS));
  return trust * ((decided - dismissed + ASSUMED_RIGHT) / (decided + ASSUMED_RIGHT));
}
