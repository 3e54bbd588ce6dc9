import { SUBJECT_NAME_MAX_LENGTH, subjectName } from '@mogakgong/contract';
import type { KeyboardEvent } from 'react';
import { useForm } from '../../shared/form/use-form.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';

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
  const { t } = useTranslation(studyTexts);
  const nameProblem = (typed: string) => {
    const name = subjectName(typed);
    if (name === null && typed.trim() !== '')
      return t('subjects.tooLong', { max: SUBJECT_NAME_MAX_LENGTH });
    return problemOf?.(name);
  };
  const form = useForm({
    initial: { name: before },
    mode: 'type',
    check: (typed) => ({ name: nameProblem(typed.name) }),
    send: async (typed) => {
      const name = subjectName(typed.name);
      if (name !== null && (await onSubmit(name))) onClose();
    },
  });
  const name = subjectName(form.values.name);
  return (
    <form {...form.props} onKeyDown={(event) => closeOnEscape(event, onClose)}>
      <TextField
        // A press opened this field.
        autoFocus
        {...form.field('name')}
        label={label}
        placeholder={placeholder}
        action={
          <Button
            type="submit"
            loading={form.isSending}
            disabled={name === null || form.errorOf('name') !== undefined}
          >
            {submitLabel}
          </Button>
        }
      />
    </form>
  );
}

/** Only the field closes, not the dialog or panel around it. */
function closeOnEscape(event: KeyboardEvent, onClose: () => void): void {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  onClose();
}
