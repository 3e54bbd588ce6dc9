import { APPEAL_MAX_LENGTH, type UserId } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FieldFrame } from '../../shared/ui/field-frame.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { Textarea } from '../../shared/ui/inputs.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { sendAppeal } from './own-sanctions.ts';
import { sanctionTexts } from './sanction-texts.ts';

interface AppealFormProps {
  readonly userId: UserId;
  readonly sanctionId: number;
}

/** Appeals a decision. */
export function AppealForm({ userId, sanctionId }: AppealFormProps) {
  const { t, language } = useTranslation(sanctionTexts);
  const [text, setText] = useState('');
  const [isEmpty, setIsEmpty] = useState(false);
  const ref = useRef<HTMLTextAreaElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const { mutate, isPending, error } = useMutation(
    {
      mutationFn: () => sendAppeal(userId, { sanctionId, text: text.trim() }, t('appeal.failed')),
      onSuccess: () => notify.toast(t('appeal.sent'), 'good'),
    },
    queryClient,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const hasText = text.trim() !== '';
    setIsEmpty(!hasText);
    if (!hasText) ref.current?.focus();
    else if (!isPending) mutate();
  };
  return (
    <form noValidate className="grid gap-3" onSubmit={submit}>
      <p className="text-small">{t('appeal.lead')}</p>
      <FieldFrame
        label={t('appeal.label')}
        hint={t('appeal.hint', { max: APPEAL_MAX_LENGTH.toLocaleString(language) })}
        error={isEmpty ? t('appeal.empty') : undefined}
      >
        {(tie) => (
          <Textarea
            {...tie}
            ref={ref}
            rows={5}
            maxLength={APPEAL_MAX_LENGTH}
            value={text}
            className="py-2.5"
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </FieldFrame>
      <FormError text={error ? messageOf(error) : undefined} />
      <div>
        <Button type="submit" size="small" loading={isPending}>
          {t('appeal.send')}
        </Button>
      </div>
    </form>
  );
}
