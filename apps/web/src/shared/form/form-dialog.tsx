import { type ReactNode, useId } from 'react';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import type { FormState } from './use-form.ts';

interface FormDialogProps {
  readonly title: string;
  /** The text of the button that sends the form. */
  readonly submit: string;
  readonly form: Pick<FormState<object>, 'props' | 'isSending' | 'formError'>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog that is a form: its fields, the error of the whole, and the buttons to cancel and to send. */
export function FormDialog({ title, submit, form, onClose, children }: FormDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={id} variant="primary" loading={form.isSending}>
            {submit}
          </Button>
        </>
      }
    >
      <form {...form.props} id={id} className="grid gap-4 text-ink">
        {children}
        <FormError {...form.formError} />
      </form>
    </Dialog>
  );
}
