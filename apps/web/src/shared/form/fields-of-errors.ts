import type { ErrorName } from '@mogakgong/contract';

const NEW_PASSWORD = ['newPassword', 'password'];

/** The names of the fields that an error is about. Other errors are about the form as a whole. */
const fieldsOfErrors: Partial<Record<ErrorName, readonly string[]>> = {
  wrongCredentials: ['password'],
  emailMissing: ['email'],
  emailMalformed: ['email'],
  emailTaken: ['email'],
  wrongPassword: ['currentPassword'],
  weakPassword: NEW_PASSWORD,
  commonPassword: NEW_PASSWORD,
  newPasswordsDiffer: ['confirmNewPassword'],
  nicknameMalformed: ['nickname'],
  nicknameTaken: ['nickname'],
  consentsMissing: ['consents'],
  secondFactorNeeded: ['code'],
  wrongCode: ['code'],
  unknownTimeZone: ['timeZone'],
  supportMessageMalformed: ['message'],
};

/**
 * The field of a form that shows an error: the one that the error is about, or the only one; else `form`,
 * which stands for the form as a whole.
 */
export function fieldOfError<Name extends string>(
  error: ErrorName | null,
  names: readonly Name[],
): Name | 'form' {
  const about = error === null ? undefined : fieldsOfErrors[error];
  const named = names.find((name) => about?.includes(name));
  return named ?? (names.length === 1 && names[0] ? names[0] : 'form');
}
