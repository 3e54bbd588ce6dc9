import { deletionDelaysDays, type RouteReply, requestDeletion } from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';

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
  const { t } = useTranslation(accountTexts);
  const listRef = useRef<HTMLUListElement>(null);
  // The pressed button is gone; a screen reader continues with the explanation.
  useEffect(() => listRef.current?.focus(), []);
  const form = useForm({
    initial: { days: '7' as `${DelayDays}`, isUnderstood: false },
    check: ({ isUnderstood }) => ({
      isUnderstood: isUnderstood ? undefined : t('deletion.notUnderstood'),
    }),
    send: async (given) => {
      const delayDays = Number(given.days) as DelayDays;
      const options = { fallback: t('deletion.failed') };
      onPlanned({ ...(await call(requestDeletion, { body: { delayDays } }, options)), delayDays });
    },
  });
  const { days } = form.values;
  return (
    <form {...form.props} className="grid max-w-[44rem] gap-5">
      <ul ref={listRef} tabIndex={-1} className="grid list-disc gap-2 pl-5">
        <li>{t('deletion.now')}</li>
        <li>{t('deletion.then')}</li>
        {days !== '0' && <li>{t('deletion.back')}</li>}
        <li>{t('deletion.export')}</li>
      </ul>
      <Choice
        label={t('deletion.when')}
        options={OPTIONS.map((value) => ({ value, label: t(`deletion.days.${value}`) }))}
        value={days}
        onChange={(chosen) => form.change({ days: chosen })}
      />
      <Checkbox {...form.box('isUnderstood')} label={t('deletion.understood')} />
      <FormError {...form.formError} />
      <div className="flex flex-wrap gap-2">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" variant="primary" loading={form.isSending}>
          {t('deletion.request')}
        </Button>
      </div>
    </form>
  );
}
