import type { PageErrorName } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { messageOf, tableText } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { profileTexts } from './profile-texts.ts';

interface EditFormOptions {
  /** The stored value. */
  readonly stored: string;
  /** The rule that a value breaks, or null. */
  readonly problemOf: (value: string) => PageErrorName | null;
  /** Stores a value; its errors are shown at the field. */
  readonly save: (value: string) => Promise<void>;
  /** Called once the value is stored, also when it was unchanged. */
  readonly onSaved: () => void;
}

/** The state of a form that edits one value, in an input that it focuses. */
export function useEditForm({ stored, problemOf, save, onSaved }: EditFormOptions) {
  const inputRef = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<PageErrorName | null>(null);
  const mutationKey = ['edit', useId()];
  const { mutate, isPending, error, reset } = useMutation(
    { mutationKey, mutationFn: save, onSuccess: onSaved, onError: () => inputRef.current?.focus() },
    queryClient,
  );
  useEffect(() => {
    inputRef.current?.focus();
    inputRef.current?.select();
  }, []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // `isPending` is set a moment later: the second of two presses in one task would be sent too.
    if (queryClient.isMutating({ mutationKey }) > 0) return;
    const value = inputRef.current?.value ?? '';
    const found = problemOf(value);
    setProblem(found);
    reset();
    if (found) inputRef.current?.focus();
    else if (value.trim() === stored) onSaved();
    else mutate(value);
  };
  const refusal = error ? messageOf(error) : undefined;
  return { inputRef, error: problem ? tableText(problem) : refusal, isSaving: isPending, onSubmit };
}

interface EditFormProps {
  readonly form: ReturnType<typeof useEditForm>;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A field with save and cancel (specification §2). */
export function EditForm({ form, onCancel, children }: EditFormProps) {
  const { t } = useTranslation(profileTexts);
  return (
    <form noValidate className="grid gap-4" onSubmit={form.onSubmit}>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={form.isSaving}>
          {t('edit.save')}
        </Button>
        <Button disabled={form.isSaving} onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  );
}
