import { useLocation } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { logOut } from '../../features/auth/session.ts';
import { DeletionPanel } from '../../features/privacy/deletion-panel.tsx';
import { accountTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { useMoments } from '../../shared/today/use-moments.ts';
import { notify } from '../../shared/ui/notify.ts';

/** The panel that deletes the account, which also logs the learner out. */
export function AccountDeletion() {
  const { t } = useTranslation(accountTexts);
  const [, navigate] = useLocation();
  const momentText = useMoments(useOwnUserId(), 'long');
  return (
    <DeletionPanel
      onPlanned={({ deletesAtMs, delayDays }) => {
        logOut();
        navigate(paths.login, { replace: true });
        const text =
          delayDays === 0
            ? t('deletion.atOnce')
            : t('deletion.planned', { time: momentText(deletesAtMs) });
        notify.toast(text, 'good');
      }}
    />
  );
}
