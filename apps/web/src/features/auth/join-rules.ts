import {
  type Consents,
  consentNames,
  emailProblem,
  nicknameProblem,
  normalizeNickname,
  type PageErrorName,
  passwordProblem,
} from '@mogakgong/contract';
import { tableText } from '../../shared/api/index.ts';
import type { Problems } from '../../shared/form/use-form-errors.ts';

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

/** The texts of a form with some of these fields; empty fields have one text together. */
export function joinErrors(values: Partial<JoinValues>): Problems<JoinField> {
  const problems = Object.entries(joinProblems({ ...emptyJoinValues, ...values }))
    .filter(([field]) => field in values)
    .map(([field, problem]) => [
      field,
      problem === 'signupFieldsMissing' ? '' : tableText(problem),
    ]);
  const hasEmpty = problems.some(([, text]) => text === '');
  return {
    ...Object.fromEntries(problems),
    ...(hasEmpty && { form: tableText('signupFieldsMissing') }),
  };
}
