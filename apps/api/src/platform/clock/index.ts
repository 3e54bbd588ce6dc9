import { ApiError } from '../http/index.ts';
import type { Logger } from '../logger/index.ts';

/** Source of the product's time; tests move it by hand. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A process with a larger difference to the database's clock must not store times (decision 019). */
const CLOCK_OFF_MAX_MS = 10_000;
/** The clocks of two processes that store times are at most this far apart. */
export const CLOCKS_APART_MAX_MS = 2 * CLOCK_OFF_MAX_MS;
/**
 * A process that reads what others have stored since its last reading goes back this far: the difference
 * between two clocks, and the duration of a transaction.
 */
export const READING_OVERLAP_MS = CLOCKS_APART_MAX_MS + 10_000;

interface CheckedClockParts {
  readonly clock: Clock;
  /** Reads another clock that all processes share. */
  readonly readShared: () => Promise<Date>;
  readonly logger: Logger;
}

/**
 * A clock for stored times: `now` throws ApiError `clockWrong` while the clock is known to be wrong. Code
 * that only reads uses the plain clock.
 */
export interface CheckedClock extends Clock {
  readonly isRight: boolean;
  /** Compares with the shared clock; if that is unreadable, the last result stays. */
  check(): Promise<void>;
}

export function createCheckedClock(parts: CheckedClockParts): CheckedClock {
  const { clock, readShared, logger } = parts;
  let isRight = true;
  return {
    get isRight() {
      return isRight;
    },
    now() {
      if (!isRight) throw new ApiError('clockWrong');
      return clock.now();
    },
    async check() {
      const askedMs = clock.now().getTime();
      const sharedMs = (await readShared()).getTime();
      // The answer may have taken long: only a difference beyond the duration of the query counts.
      const aheadMs = Math.max(0, askedMs - sharedMs);
      const behindMs = Math.max(0, sharedMs - clock.now().getTime());
      const offMs = aheadMs - behindMs;
      const wasRight = isRight;
      isRight = Math.abs(offMs) <= CLOCK_OFF_MAX_MS;
      if (!isRight) logger.error({ aheadMs: offMs }, 'the clock of this process is wrong');
      else if (!wasRight) logger.info('the clock of this process is right again');
    },
  };
}
