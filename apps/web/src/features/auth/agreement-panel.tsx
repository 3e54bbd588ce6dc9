import { consentNames, giveConsents } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, messageOf, renewAccessToken, tableText } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { accountTexts } from './account-texts.ts';
import { ConsentFields } from './consent-fields.tsx';

const NONE = { age: false, terms: false, privacy: false };

/** Asks a learner to agree to changed terms. */
export function AgreementPanel() {
  const { t } = useTranslation(accountTexts);
  const [consents, setConsents] = useState(NONE);
  const [isMissing, setIsMissing] = useState(false);
  const { mutate, isPending, error } = useMutation(
    {
      mutationFn: async () => {
        await call(giveConsents, { body: { consents } }, { fallback: t('agreement.failed') });
        await renewAccessToken();
      },
    },
    queryClient,
  );
  const hasAll = consentNames.every((name) => consents[name]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(!hasAll);
    if (hasAll && !isPending) mutate();
  };
  const problem = isMissing && !hasAll ? tableText('consentsMissing') : error && messageOf(error);
  return (
    <Panel title={t('agreement.title')} lead={t('agreement.lead')}>
      <form noValidate className="grid max-w-[30rem] gap-5" onSubmit={submit}>
        <ConsentFields consents={consents} onChange={setConsents} error={problem || undefined} />
        <div>
          <Button type="submit" variant="primary" loading={isPending}>
            {t('agreement.submit')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
