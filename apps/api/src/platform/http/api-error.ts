import type { ErrorName } from '@mogakgong/contract';

interface ApiErrorOptions {
  readonly cause?: unknown;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** An expected failure, answered with its row of the error table. */
export class ApiError extends Error {
  /** The row of the error table. */
  readonly row: ErrorName;
  readonly retryAfterSeconds: number | undefined;

  constructor(row: ErrorName, { cause, retryAfterSeconds }: ApiErrorOptions = {}) {
    super(row, { cause });
    this.name = 'ApiError';
    this.row = row;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
