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

/** What the sign-up form holds. */
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

/** The fields that one writes in. */
export type TextFieldName = Exclude<JoinField, 'consents'>;

/** The broken rule of every field that breaks one (specification §5). */
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

/** The field that an answer of the API is about; the others are about the form as a whole. */
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
