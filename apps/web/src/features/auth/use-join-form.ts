import { normalizeNickname, signup } from '@mogakgong/contract';
import { type FormEvent, useId, useRef, useState } from 'react';
import { ApiError, call, messageOf } from '../../shared/api/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { tableText } from './error-text.ts';
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

export interface JoinFormState {
  readonly values: JoinValues;
  readonly isSubmitting: boolean;
  /** What is wrong with a field, from the moment the learner has left it or pressed the button. */
  readonly errorOf: (field: JoinField | 'form') => string | undefined;
  /** True for a field that was empty when the button was pressed: the form says that once for all. */
  readonly isMissing: (field: JoinField) => boolean;
  /** Of the message about the form as a whole. */
  readonly errorId: string;
  readonly change: (change: Partial<JoinValues>) => void;
  /** The learner has left a field. */
  readonly touch: (field: JoinField) => void;
  /** Shows what the API says about a field, or takes it back (null). */
  readonly answer: (answer: Answer | null) => void;
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
}

function focus(form: HTMLFormElement | null, field: Answer['field']): void {
  const input = form?.elements.namedItem(field);
  if (input instanceof HTMLElement) input.focus();
}

/** The sign-up form's state; `onJoined` hears the address of the new account. */
export function useJoinForm(onJoined: (email: string) => void): JoinFormState {
  const [values, setValues] = useState(emptyJoinValues);
  const [touched, setTouched] = useState<ReadonlySet<JoinField>>(new Set());
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isSubmitting, setIsSubmitting] = useState(false);
  const isRunning = useRef(false);
  const [isPressed, setIsPressed] = useState(false);
  const errorId = useId();
  const problems = joinProblems(values);
  const isMissing = (field: JoinField) => isPressed && problems[field] === 'signupFieldsMissing';

  const send = async (form: HTMLFormElement) => {
    isRunning.current = true;
    setIsSubmitting(true);
    setAnswer(null);
    try {
      onJoined(await join(values));
    } catch (error) {
      const name = error instanceof ApiError ? error.errorName : null;
      const field = (name && fieldOfError[name]) ?? 'form';
      setAnswer({ field, text: messageOf(error) });
      focus(form, field);
    } finally {
      isRunning.current = false;
      setIsSubmitting(false);
    }
  };

  return {
    values,
    isSubmitting,
    errorOf(field) {
      if (field === 'form' && joinFields.some(isMissing)) return tableText('signupFieldsMissing');
      if (answer?.field === field) return answer.text;
      const problem = field !== 'form' && touched.has(field) ? problems[field] : undefined;
      return problem && problem !== 'signupFieldsMissing' ? tableText(problem) : undefined;
    },
    isMissing,
    errorId,
    change(change) {
      setValues((before) => ({ ...before, ...change }));
      if (answer && answer.field in change) setAnswer(null);
    },
    touch: (field) => setTouched((before) => new Set(before).add(field)),
    answer: setAnswer,
    submit(event) {
      event.preventDefault();
      if (isRunning.current) return;
      setTouched(new Set(joinFields));
      setIsPressed(true);
      const broken = joinFields.find((field) => problems[field]);
      if (broken) focus(event.currentTarget, broken);
      else void send(event.currentTarget);
    },
  };
}

/** Creates the account; answers its address. */
async function join(values: JoinValues): Promise<string> {
  const body = {
    email: values.email.trim(),
    password: values.password,
    nickname: normalizeNickname(values.nickname),
    consents: values.consents,
  };
  await call(signup, { body }, { fallback: translate('join.failed') });
  return body.email;
}
