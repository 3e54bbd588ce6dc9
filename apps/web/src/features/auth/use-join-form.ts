import { normalizeNickname, signup } from '@mogakgong/contract';
import { type FormEvent, useId, useState } from 'react';
import { ApiError, call, messageOf, tableText } from '../../shared/api/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { focusField } from '../../shared/ui/inputs.tsx';
import {
  emptyJoinValues,
  fieldOfError,
  type JoinField,
  type JoinValues,
  joinFields,
  joinProblems,
} from './join-rules.ts';

/** A text from the API about one field, or about the form as a whole. */
interface Answer {
  readonly field: JoinField | 'form';
  readonly text: string;
}

export type JoinFormState = ReturnType<typeof useJoinForm>;

/** The sign-up form's state; `onJoined` gets the address of the new account. */
export function useJoinForm(onJoined: (email: string) => void) {
  const [values, setValues] = useState(emptyJoinValues);
  const [touched, setTouched] = useState<ReadonlySet<JoinField>>(new Set());
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isSubmitting, setIsSubmitting] = useState(false);
  const [isPressed, setIsPressed] = useState(false);
  const errorId = useId();
  const problems = joinProblems(values);
  const isMissing = (field: JoinField) => isPressed && problems[field] === 'signupFieldsMissing';

  const send = async (form: HTMLFormElement) => {
    setIsSubmitting(true);
    setAnswer(null);
    try {
      const body = {
        email: values.email.trim(),
        password: values.password,
        nickname: normalizeNickname(values.nickname),
        consents: values.consents,
      };
      await call(signup, { body }, { fallback: translate('join.failed') });
      onJoined(body.email);
    } catch (error) {
      const name = error instanceof ApiError ? error.errorName : null;
      const field = (name && fieldOfError[name]) ?? 'form';
      setAnswer({ field, text: messageOf(error) });
      focusField(form, field);
    } finally {
      setIsSubmitting(false);
    }
  };

  return {
    values,
    isSubmitting,
    /** What is wrong with a field, from the moment the learner has left it or pressed the button. */
    errorOf(field: JoinField | 'form'): string | undefined {
      if (field === 'form' && joinFields.some(isMissing)) return tableText('signupFieldsMissing');
      if (answer?.field === field) return answer.text;
      const problem = field !== 'form' && touched.has(field) ? problems[field] : undefined;
      return problem && problem !== 'signupFieldsMissing' ? tableText(problem) : undefined;
    },
    /** True for a field that was empty when the button was pressed: the form says that once for all. */
    isMissing,
    /** Of the message about the form as a whole. */
    errorId,
    change(change: Partial<JoinValues>) {
      setValues((before) => ({ ...before, ...change }));
      if (answer && answer.field in change) setAnswer(null);
    },
    touch: (field: JoinField) => setTouched((before) => new Set(before).add(field)),
    /** Shows what the API says about a field, or takes it back (null). */
    answer: setAnswer,
    submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      if (isSubmitting) return;
      setTouched(new Set(joinFields));
      setIsPressed(true);
      const broken = joinFields.find((field) => problems[field]);
      if (broken) focusField(event.currentTarget, broken);
      else void send(event.currentTarget);
    },
  };
}
