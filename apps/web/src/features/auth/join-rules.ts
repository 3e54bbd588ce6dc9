import {
  type Consents,
  consentNames,
  type ErrorName,
  emailProblem,
  nicknameProblem,
  normalizeNickname,
  type PageErrorName,
  passwordProblem,
} from '@mogakgong/contract';

/** The values of the sign-up form. */
export interface JoinValues {
  email: string;
  password: string;
  passwordConfirmation: string;
  nickname: string;
  consents: Consents;
}

export type JoinField = keyof JoinValues;

export const emptyJoinValues: JoinValues = {
  email: '',
  password: '',
  passwordConfirmation: '',
  nickname: '',
  consents: { age: false, terms: false, privacy: false },
};

/** In the order of the form. */
export const joinFields = Object.keys(emptyJoinValues) as readonly JoinField[];

/** The text fields. */
export type TextFieldName = Exclude<JoinField, 'consents'>;

/** The violated rule of each invalid field (specification §5). */
export function joinProblems(values: JoinValues): Partial<Record<JoinField, PageErrorName>> {
  const problems: Partial<Record<JoinField, PageErrorName | null>> = {
    email: emailProblem(values.email.trim()),
    password: passwordProblem(values.password),
    passwordConfirmation:
      values.password === values.passwordConfirmation ? null : 'passwordsDiffer',
    nickname: nicknameProblem(normalizeNickname(values.nickname)),
    consents: consentNames.every((name) => values.consents[name]) ? null : 'consentsMissing',
  };
  for (const field of joinFields) {
    const value = values[field];
    if (typeof value === 'string' && value.trim() === '') problems[field] = 'signupFieldsMissing';
  }
  const broken = Object.entries(problems).filter(([, problem]) => problem !== null);
  return Object.fromEntries(broken);
}

/** The field that an API error is about; other errors are about the form as a whole. */
export const fieldOfError: Partial<Record<ErrorName, JoinField>> = {
  emailMissing: 'email',
  emailMalformed: 'email',
  emailTaken: 'email',
  weakPassword: 'password',
  commonPassword: 'password',
  nicknameMalformed: 'nickname',
  nicknameTaken: 'nickname',
  consentsMissing: 'consents',
};
