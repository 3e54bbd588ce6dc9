import type { ErrorName } from '@mogakgong/contract';

/** Rows by which the server reports its own failure (decision 105). */
const OWN_FAILURES: readonly ErrorName[] = ['unavailable', 'internal'];

/** The first and the longest delay before a resend, in ms. */
const RESEND_MS = { first: 1_000, longest: 10_000 } as const;

/**
 * An unconfirmed send. `lost`: it is unknown whether it arrived; `unavailable`: the server failed or does not
 * answer, and the send is repeated as if it were lost; `refused`: rejected because of its content.
 */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly reason: 'lost' | 'unavailable' | 'refused';
  /** The row of the error table, if known. */
  readonly errorName: ErrorName | null;
  /** When another try may succeed, in ms from the answer; 0 if not stated. */
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

  /** The error of an ERROR frame. Without a row of the table it is unknown how far the server came. */
  static of(headers: Readonly<Record<string, string>>, text: string): SendError {
    const errorName = (headers.error as ErrorName | undefined) ?? null;
    if (errorName === null) return new SendError('lost');
    const reason = OWN_FAILURES.includes(errorName) ? 'unavailable' : 'refused';
    const retryAfterMs = 1_000 * (Number(headers['retry-after']) || 0);
    return new SendError(reason, text, errorName, retryAfterMs);
  }
}

/** Randomises a delay by half, so that a room does not come back all at once. */
export const spread = (ms: number) => Math.round(ms * (0.5 + Math.random()));

/**
 * Delay before a resend, in ms: longer with each failure, and not before the time the server named.
 * @param failures in a row, before this one.
 */
export function resendWaitMs(failures: number, error: unknown): number {
  const askedMs = error instanceof SendError ? error.retryAfterMs : 0;
  const waitMs = Math.min(RESEND_MS.first * 2 ** failures, RESEND_MS.longest);
  return Math.max(spread(waitMs), askedMs * (1 + Math.random() / 2));
}
