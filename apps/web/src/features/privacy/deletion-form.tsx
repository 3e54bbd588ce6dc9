import { deletionDelaysDays, type RouteReply, requestDeletion } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call, messageOf } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { ownDataTexts } from './own-data-texts.ts';

type DelayDays = (typeof deletionDelaysDays)[number];

/** A requested deletion. */
export type PlannedDeletion = RouteReply<typeof requestDeletion> & {
  readonly delayDays: DelayDays;
};

interface DeletionFormProps {
  readonly onPlanned: (deletion: PlannedDeletion) => void;
  readonly onClose: () => void;
}

const OPTIONS = deletionDelaysDays.map(String) as `${DelayDays}`[];

/** Explains a deletion, asks for its time, and requires a confirmation. */
export function DeletionForm({ onPlanned, onClose }: DeletionFormProps) {
  const { t } = useTranslation(ownDataTexts);
  const listRef = useRef<HTMLUListElement>(null);
  // The pressed button is gone; a screen reader continues with the explanation.
  useEffect(() => listRef.current?.focus(), []);
  const [days, setDays] = useState<`${DelayDays}`>('7');
  const [isUnderstood, setIsUnderstood] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const delayDays = Number(days) as DelayDays;
  const { mutate, isPending, error } = useMutation(
    {
      mutationFn: () =>
        call(requestDeletion, { body: { delayDays } }, { fallback: t('deletion.failed') }),
      onSuccess: (reply) => onPlanned({ ...reply, delayDays }),
    },
    queryClient,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(!isUnderstood);
    if (isUnderstood && !isPending) mutate();
  };
  return (
    <form noValidate className="grid max-w-[44rem] gap-5" onSubmit={submit}>
      <ul ref={listRef} tabIndex={-1} className="grid list-disc gap-2 pl-5">
        <li>{t('deletion.now')}</li>
        <li>{t('deletion.then')}</li>
        {delayDays > 0 && <li>{t('deletion.back')}</li>}
        <li>{t('deletion.export')}</li>
      </ul>
      <Choice
        label={t('deletion.when')}
        options={OPTIONS.map((value) => ({ value, label: t(`deletion.days.${value}`) }))}
        value={days}
        onChange={setDays}
      />
      <Checkbox
        label={t('deletion.understood')}
        checked={isUnderstood}
        error={isMissing ? t('deletion.notUnderstood') : undefined}
        onChange={(event) => {
          setIsUnderstood(event.target.checked);
          setIsMissing(false);
        }}
      />
      <FormError text={error ? messageOf(error) : undefined} />
      <div className="flex flex-wrap gap-2">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" variant="primary" loading={isPending}>
          {t('deletion.request')}
        </Button>
      </div>
    </form>
  );
}
