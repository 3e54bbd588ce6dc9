import type { PageErrorName } from '@mogakgong/contract';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { messageOf, tableText } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { profileTexts } from './profile-texts.ts';

interface EditFormOptions {
  /** The value that is edited. */
  readonly stored: string;
  /** The rule that a value breaks, or null. */
  readonly problemOf: (value: string) => PageErrorName | null;
  /** Stores a value; what it throws is shown at the field. */
  readonly save: (value: string) => Promise<void>;
  /** Called once the value is stored, also when it was before. */
  readonly onSaved: () => void;
}

/** The state of a form that edits one value, in an input that it focuses. */
export function useEditForm({ stored, problemOf, save, onSaved }: EditFormOptions) {
  const inputRef = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  useEffect(() => {
    inputRef.current?.focus();
    inputRef.current?.select();
  }, []);

  const refuse = (text: string) => {
    setError(text);
    inputRef.current?.focus();
  };
  const submit = async () => {
    const value = inputRef.current?.value ?? '';
    const problem = problemOf(value);
    if (problem) return refuse(tableText(problem));
    if (value.trim() === stored) return onSaved();
    setError(undefined);
    setIsSaving(true);
    try {
      await save(value);
      onSaved();
    } catch (thrown) {
      refuse(messageOf(thrown));
    } finally {
      setIsSaving(false);
    }
  };
  return {
    inputRef,
    error,
    isSaving,
    onSubmit(event: FormEvent) {
      event.preventDefault();
      if (!isSaving) void submit();
    },
  };
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
