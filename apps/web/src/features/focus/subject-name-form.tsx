import { SUBJECT_NAME_MAX_LENGTH, subjectName } from '@mogakgong/contract';
import { type FormEvent, useState } from 'react';
import { subjectsTexts } from '../../shared/i18n/subjects-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

interface SubjectNameFormProps {
  readonly name?: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly submitLabel: string;
  /** The error of a name besides its length; null stands for an empty name. */
  readonly problemOf?: (name: string | null) => string | undefined;
  /** Resolves to whether it succeeded. */
  readonly onSubmit: (name: string) => Promise<boolean>;
  readonly onClose: () => void;
}

/** Asks for the name of a subject, in place of the button that was pressed. */
export function SubjectNameForm(props: SubjectNameFormProps) {
  const {
    name: before = '',
    label,
    placeholder,
    submitLabel,
    problemOf,
    onSubmit,
    onClose,
  } = props;
  const { t } = useTranslation(subjectsTexts);
  const [typed, setTyped] = useState(before);
  const [isSending, setIsSending] = useState(false);
  const name = subjectName(typed);
  const isTooLong = name === null && typed.trim() !== '';
  const problem = isTooLong ? t('tooLong', { max: SUBJECT_NAME_MAX_LENGTH }) : problemOf?.(name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name === null || problem || isSending) return;
    setIsSending(true);
    const isDone = await onSubmit(name);
    setIsSending(false);
    if (isDone) onClose();
  };
  return (
    <form
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Only the field closes, not the dialog or panel around it.
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <TextField
        // A press opened this field.
        autoFocus
        label={label}
        value={typed}
        placeholder={placeholder}
        error={problem}
        onChange={(event) => setTyped(event.target.value)}
        action={
          <Button
            type="submit"
            loading={isSending}
            disabled={name === null || problem !== undefined}
          >
            {submitLabel}
          </Button>
        }
      />
    </form>
  );
}
