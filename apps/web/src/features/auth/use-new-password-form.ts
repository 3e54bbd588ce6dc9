import {
  type ChangedPassword,
  type ErrorName,
  type NewPassword,
  newPasswordProblem,
} from '@mogakgong/contract';
import { type FormEvent, useState } from 'react';
import { ApiError, messageOf, tableText } from '../../shared/api/index.ts';
import { focusField } from '../../shared/ui/inputs.tsx';

type Field = keyof ChangedPassword | 'code';

/** The error of one field, or of the form as a whole. */
interface Problem {
  readonly field: Field | 'form';
  readonly text: string;
}

const fieldOfError: Partial<Record<ErrorName, Field>> = {
  wrongPassword: 'currentPassword',
  weakPassword: 'newPassword',
  commonPassword: 'newPassword',
  passwordsDiffer: 'confirmNewPassword',
  secondFactorNeeded: 'code',
  wrongCode: 'code',
};

export type NewPasswordFormState = ReturnType<typeof useNewPasswordForm>;

/**
 * The state of a form with a new password and its repetition.
 * @param send an API error is shown at the field it is about.
 */
export function useNewPasswordForm(send: (given: NewPassword, form: FormData) => Promise<void>) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, setIsSending] = useState(false);

  const refuse = (form: HTMLFormElement, name: ErrorName | null, text: string) => {
    const field = (name && fieldOfError[name]) ?? 'form';
    setProblem({ field, text });
    focusField(form, field);
  };
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const value = (field: Field) => String(data.get(field) ?? '');
    const given = {
      newPassword: value('newPassword'),
      confirmNewPassword: value('confirmNewPassword'),
    };
    setProblem(null);
    const broken = newPasswordProblem(given);
    if (broken) return refuse(form, broken, tableText(broken));
    setIsSending(true);
    try {
      await send(given, data);
    } catch (error) {
      refuse(form, error instanceof ApiError ? error.errorName : null, messageOf(error));
    } finally {
      setIsSending(false);
    }
  };

  return {
    isSending,
    errorOf: (field: Problem['field']) => (problem?.field === field ? problem.text : undefined),
    submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      if (!isSending) void submit(event.currentTarget);
    },
  };
}
