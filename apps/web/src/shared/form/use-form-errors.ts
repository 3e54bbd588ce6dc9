import type { PageErrorName } from '@mogakgong/contract';
import { useCallback, useId, useState } from 'react';
import { ApiError, messageOf, tableText } from '../api/index.ts';
import { fieldOfError } from './fields-of-errors.ts';

/** Texts of errors by field; '' marks a field that the text of the form as a whole is about. */
export type Problems<Name extends string = string> = {
  readonly [name in Name | 'form']?: string | undefined;
};

export interface ErrorOptions<Values> {
  /** The rule that the values break, or texts by field. While there is one, nothing is sent. */
  readonly check?: (values: Values) => PageErrorName | Problems<keyof Values & string> | null;
  /** When a field's broken rule is first shown: after a press, on leaving the field, or while typing. */
  readonly mode?: 'press' | 'leave' | 'type';
  /** The text of an error of `send`; null where none is shown. */
  readonly textOf?: (error: unknown) => string | null;
}

export type FormErrors<Values extends object> = ReturnType<typeof useFormErrors<Values>>;

/**
 * The errors of a form. A broken rule is shown until it holds, a failure until its field changes or the form
 * is sent again.
 */
export function useFormErrors<Values extends object>(
  { check, mode = 'press', textOf = messageOf }: ErrorOptions<Values>,
  values: Values,
) {
  const names = Object.keys(values);
  const problemsOf = (given: Values) => byField(check?.(given) ?? {}, names);
  const errorId = useId();
  const [isPressed, setIsPressed] = useState(false);
  const [leftFields, setLeftFields] = useState<readonly string[]>([]);
  const [failures, setFailures] = useState<Problems>({});
  const isAllShown = isPressed || mode === 'type';
  const isLeft = (name: string) => mode === 'leave' && leftFields.includes(name);
  // A form is prerendered without texts: rules are judged once one may be shown.
  const problems: Problems = isAllShown || names.some(isLeft) ? problemsOf(values) : {};

  const show = useCallback(
    (name: string, text: string | undefined) =>
      setFailures((before) => ({ ...before, [name]: text })),
    [],
  );
  return {
    /** The id of the text of the form as a whole. */
    errorId,
    /** The text at a field, or of the `form` as a whole. */
    errorOf(name: string): string | undefined {
      return ((isAllShown || isLeft(name)) && problems[name]) || failures[name] || undefined;
    },
    /** Whether the form's text is about a field. */
    isMarked: (name: string) => isPressed && problems[name] === '',
    leave: (name: string) =>
      setLeftFields((before) => (before.includes(name) ? before : [...before, name])),
    /** Replaces a field's failure. */
    show,
    /** Judges the values that are to be sent; returns the first field that breaks a rule. */
    press(given: Values): string | undefined {
      const found = problemsOf(given);
      setIsPressed(true);
      setFailures({});
      return [...names, 'form'].find((name) => found[name] !== undefined);
    },
    /** Shows why sending failed; returns the field that it is about. */
    fail(error: unknown): string {
      const field = fieldOfError(error instanceof ApiError ? error.errorName : null, names);
      show(field, textOf(error) ?? undefined);
      return field;
    },
    /** The form was sent: its rules are shown again from the next press on. */
    done: () => setIsPressed(false),
  };
}

const byField = (found: PageErrorName | Problems, names: readonly string[]): Problems =>
  typeof found === 'string' ? { [fieldOfError(found, names)]: tableText(found) } : found;
