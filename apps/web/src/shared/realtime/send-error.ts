import type { ErrorName } from '@mogakgong/contract';

/** Rows with which the server says that it failed itself (decision 105). */
const OWN_FAILURES: readonly ErrorName[] = ['unavailable', 'internal'];

/** The first and the longest wait before something is sent again, in ms. */
const RESEND_MS = { first: 1_000, longest: 10_000 } as const;

/**
 * A send that was not confirmed. `lost`: nobody knows whether it arrived; `unavailable`: the server failed at
 * it or does not answer, and it is to be sent again as if it were lost; `refused`: it is not taken, for what it is.
 */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly reason: 'lost' | 'unavailable' | 'refused';
  /** The row of the error table, where it is one we know. */
  readonly errorName: ErrorName | null;
  /** When another try may succeed, in ms from the answer; 0 where it does not say. */
  readonly retryAfterMs: number;

  constructor(
    reason: SendError['reason'],
    message = '',
    errorName: ErrorName | null = null,
    retryAfterMs = 0,
  ) {
    super(message);
    this.reason = reason;
    this.errorName = errorName;
    this.retryAfterMs = retryAfterMs;
  }

  /** The error that an ERROR frame says. Without a row of the table nobody knows how far the server came. */
  static of(headers: Readonly<Record<string, string>>, text: string): SendError {
    const errorName = (headers.error as ErrorName | undefined) ?? null;
    if (errorName === null) return new SendError('lost');
    const reason = OWN_FAILURES.includes(errorName) ? 'unavailable' : 'refused';
    const retryAfterMs = 1_000 * (Number(headers['retry-after']) || 0);
    return new SendError(reason, text, errorName, retryAfterMs);
  }
}

/** Up to half less or more by chance, so that a room does not come back all at once. */
export const spread = (ms: number) => Math.round(ms * (0.5 + Math.random()));

/**
 * How long to wait before something is sent again, in ms: longer with each failure, and not sooner than the
 * server said.
 * @param failures in a row, before this one.
 */
export function resendWaitMs(failures: number, error: unknown): number {
  const askedMs = error instanceof SendError ? error.retryAfterMs : 0;
  const waitMs = Math.min(RESEND_MS.first * 2 ** failures, RESEND_MS.longest);
  return Math.max(spread(waitMs), askedMs * (1 + Math.random() / 2));
}
