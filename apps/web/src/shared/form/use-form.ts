import {
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type ErrorOptions, type FormErrors, useFormErrors } from './use-form-errors.ts';

type NameOf<Values, Kind = unknown> = {
  [Name in keyof Values & string]: Values[Name] extends Kind ? Name : never;
}[keyof Values & string];

interface FormOptions<Values> extends ErrorOptions<Values> {
  /**
   * The fields in the form's order, with their first values. Strings and booleans are read from the fields
   * and check boxes of these names, where there are any; else they are set by `change`.
   */
  readonly initial: Values;
  /** Sends the form. Its errors are shown, and everything typed stays. */
  readonly send: (values: Values) => unknown;
  /** The field that takes the focus. */
  readonly focus?: NameOf<Values> | undefined;
}

export type FormState<Values extends object> = ReturnType<typeof useForm<Values>>;

/**
 * The state of a form and the props of its parts. The fields keep their own values: those of a password
 * manager come without an event. While the form is being sent, another press does nothing.
 */
export function useForm<Values extends object>(options: FormOptions<Values>) {
  const [initial] = useState(options.initial);
  const [values, setValues] = useState(initial);
  const errors = useFormErrors(options, values);
  const { isSending, submit } = useSending(options.send, errors);
  const ref = useRef<HTMLFormElement>(null);
  useFocus(ref, options.focus);

  const { show } = errors;
  const change = useCallback(
    (changed: Partial<Values>) => {
      setValues((before) => ({ ...before, ...changed }));
      if (ref.current) writeTexts(ref.current, changed);
      for (const name of Object.keys(changed)) show(name, undefined);
    },
    [show],
  );
  return {
    values,
    /** Sets values, also those in fields. It stays the same function. */
    change,
    isSending,
    /** Shows a text at a field beside those of its rules, or none. */
    showError: errors.show,
    errorOf: errors.errorOf,
    props: {
      ref,
      noValidate: true,
      onSubmit(event: SyntheticEvent<HTMLFormElement>) {
        event.preventDefault();
        const given = { ...values, ...typedIn(event.currentTarget, initial) };
        setValues(given);
        void submit(event.currentTarget, given);
      },
      onChange({ currentTarget, target }: SyntheticEvent<HTMLFormElement>) {
        const typed = typedIn(currentTarget, initial);
        setValues((before) => ({ ...before, ...typed }));
        errors.show(nameOf(target), undefined);
      },
      onBlur: ({ target }: SyntheticEvent<HTMLFormElement>) => errors.leave(nameOf(target)),
    },
    ...partProps(initial, errors),
  };
}

function partProps<Values extends object>(initial: Values, errors: FormErrors<Values>) {
  const { errorOf, errorId, isMarked } = errors;
  return {
    /** The props of a text field, a text area or a list of choices. */
    field: (name: NameOf<Values, string>) => ({
      name: name as string,
      defaultValue: initial[name] as string,
      error: errorOf(name),
      errorId: isMarked(name) ? errorId : undefined,
    }),
    /** The props of a check box. */
    box: (name: NameOf<Values, boolean>) => ({
      name: name as string,
      defaultChecked: initial[name] as boolean,
      error: errorOf(name),
    }),
    /** The props of the form's `FormError`. */
    formError: { id: errorId, text: errorOf('form') },
  };
}

/** Checks and sends values, one set at a time. */
function useSending<Values extends object>(
  send: (values: Values) => unknown,
  errors: FormErrors<Values>,
) {
  const [isSending, setIsSending] = useState(false);
  // Set before the next press, which may come before React has rendered.
  const isBusy = useRef(false);
  const markBusy = (isNow: boolean) => {
    isBusy.current = isNow;
    setIsSending(isNow);
  };
  const submit = async (form: HTMLFormElement, given: Values) => {
    if (isBusy.current) return;
    const broken = errors.press(given);
    if (broken !== undefined) return focusField(form, broken);
    markBusy(true);
    try {
      await send(given);
      errors.done();
    } catch (error) {
      focusField(form, errors.fail(error));
    } finally {
      markBusy(false);
    }
  };
  return { isSending, submit };
}

/** Moves the focus to a field and selects its text, when the form appears and when the field's name changes. */
function useFocus(form: RefObject<HTMLFormElement | null>, name: string | undefined) {
  useEffect(() => {
    if (name === undefined || !form.current) return;
    focusField(form.current, name);
    const { activeElement } = document;
    if (activeElement instanceof HTMLInputElement) activeElement.select();
  }, [form, name]);
}

/** Moves the focus to a field by its name; of radio buttons to the first. */
function focusField(form: HTMLFormElement, name: string): void {
  form.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
}

const nameOf = (target: EventTarget) => ('name' in target ? String(target.name) : '');

/** The values in the form element, by name: the strings and booleans among `initial`. */
function typedIn<Values extends object>(form: HTMLFormElement, initial: Values): Partial<Values> {
  const typed: Record<string, unknown> = {};
  for (const [name, first] of Object.entries(initial)) {
    const field = form.elements.namedItem(name);
    if (field === null) continue;
    if (typeof first === 'boolean' && 'checked' in field) typed[name] = field.checked;
    if (typeof first === 'string' && 'value' in field) typed[name] = field.value;
  }
  return typed as Partial<Values>;
}

function writeTexts(form: HTMLFormElement, changed: object): void {
  for (const [name, value] of Object.entries(changed)) {
    const field = form.elements.namedItem(name);
    // Radio buttons are a list, and follow their own props.
    const isField = field instanceof Element && 'value' in field;
    if (isField && typeof value === 'string') field.value = value;
  }
}
