import { type FormEvent, useId, useState } from 'react';
import { ApiError, messageOf, tableText } from '../../shared/api/index.ts';
import { focusField } from '../../shared/ui/inputs.tsx';
import {
  emptyJoinValues,
  fieldOfError,
  type JoinField,
  type JoinValues,
  joinProblems,
  type TextFieldName,
} from './join-rules.ts';

/** A text from the API about one field, or about the form as a whole. */
interface Answer {
  readonly field: JoinField | 'form';
  readonly text: string;
}

interface JoinFormOptions {
  /** The form's fields, in order. */
  readonly fields: readonly JoinField[];
  readonly nickname?: string;
  /** Signs up. An API error is shown at the field it is about. */
  readonly send: (values: JoinValues) => Promise<void>;
}

export type JoinFormState = ReturnType<typeof useJoinForm>;

/** The state of a sign-up form. */
export function useJoinForm({ fields, nickname = '', send }: JoinFormOptions) {
  const [values, setValues] = useState({ ...emptyJoinValues, nickname });
  const [touched, setTouched] = useState<ReadonlySet<JoinField>>(new Set());
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isSubmitting, setIsSubmitting] = useState(false);
  const [isPressed, setIsPressed] = useState(false);
  const errorId = useId();
  const problems = joinProblems(values);
  const isMissing = (field: JoinField) => isPressed && problems[field] === 'signupFieldsMissing';

  const submit = async (form: HTMLFormElement) => {
    setIsSubmitting(true);
    setAnswer(null);
    try {
      await send(values);
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
    /** The error of a field, once the learner has left it or pressed the button. */
    errorOf(field: JoinField | 'form'): string | undefined {
      if (field === 'form' && fields.some(isMissing)) return tableText('signupFieldsMissing');
      if (answer?.field === field) return answer.text;
      const problem = field !== 'form' && touched.has(field) ? problems[field] : undefined;
      return problem && problem !== 'signupFieldsMissing' ? tableText(problem) : undefined;
    },
    /** True for a field that was empty when the button was pressed: the form says so once for all fields. */
    isMissing,
    /** The id of the form's error message. */
    errorId,
    change(change: Partial<JoinValues>) {
      setValues((before) => ({ ...before, ...change }));
      if (answer && answer.field in change) setAnswer(null);
    },
    touch: (field: JoinField) => setTouched((before) => new Set(before).add(field)),
    /** Sets or clears (null) the API's error of a field. */
    answer: setAnswer,
    submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      if (isSubmitting) return;
      setTouched(new Set(fields));
      setIsPressed(true);
      const broken = fields.find((field) => problems[field]);
      if (broken) focusField(event.currentTarget, broken);
      else void submit(event.currentTarget);
    },
  };
}

/** The props of a text field of the form. */
export const fieldProps = (form: JoinFormState, name: TextFieldName) => ({
  name,
  value: form.values[name],
  error: form.errorOf(name),
  errorId: form.isMissing(name) ? form.errorId : undefined,
  onChange: (event: { target: { value: string } }) => form.change({ [name]: event.target.value }),
  onBlur: () => form.touch(name),
});
