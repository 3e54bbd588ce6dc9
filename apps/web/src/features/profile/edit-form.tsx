import type { ReactNode } from 'react';
import type { FormState } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';

interface EditFormProps {
  readonly form: Pick<FormState<object>, 'props' | 'isSending'>;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A field with save and cancel (specification §2). */
export function EditForm({ form, onCancel, children }: EditFormProps) {
  const { t } = useTranslation(accountTexts);
  return (
    <form {...form.props} className="grid gap-4">
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={form.isSending}>
          {t('edit.save')}
        </Button>
        <Button disabled={form.isSending} onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  );
}
