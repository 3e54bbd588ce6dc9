import { type ErrorName, errors, type Language } from '@mogakgong/contract';
import { Refusal } from '@mogakgong/stomp';

/**
 * A row of the error table as an ERROR frame: its text in the reader's language, its code and name
 * as headers.
 */
export function rowRefusal(row: ErrorName, language: Language, staysOpen = true): Refusal {
  const { code } = errors[row];
  return new Refusal(errors[row][language], {
    staysOpen,
    headers: [
      ['error-code', code],
      ['error', row],
    ],
  });
}
