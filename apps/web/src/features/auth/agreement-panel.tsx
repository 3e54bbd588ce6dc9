import { consentNames, giveConsents } from '@mogakgong/contract';
import { call, renewAccessToken } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Panel } from '../../shared/ui/panel.tsx';

import { ConsentFields } from './consent-fields.tsx';

/** Asks a learner to agree to changed terms. */
export function AgreementPanel() {
  const { t } = useTranslation(accountTexts);
  const form = useForm({
    initial: { consents: { age: false, terms: false, privacy: false } },
    check: ({ consents }) =>
      consentNames.every((name) => consents[name]) ? null : 'consentsMissing',
    send: async (body) => {
      await call(giveConsents, { body }, { fallback: t('agreement.failed') });
      await renewAccessToken();
    },
  });
  return (
    <Panel title={t('agreement.title')} lead={t('agreement.lead')}>
      <form {...form.props} className="grid max-w-[30rem] gap-5">
        <ConsentFields form={form} />
        <div>
          <Button type="submit" variant="primary" loading={form.isSending}>
            {t('agreement.submit')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
