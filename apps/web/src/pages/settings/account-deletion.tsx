import { useLocation } from 'wouter';
import { logOut } from '../../features/auth/session.ts';
import { DeletionPanel } from '../../features/privacy/deletion-panel.tsx';
import { ownDataTexts } from '../../features/privacy/own-data-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';

/** The panel that deletes the account. With the deletion nobody is logged in here any more. */
export function AccountDeletion() {
  const { t, language } = useTranslation(ownDataTexts);
  const [, navigate] = useLocation();
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <DeletionPanel
      onPlanned={({ deletesAtMs, delayDays }) => {
        logOut();
        navigate(paths.login, { replace: true });
        const text =
          delayDays === 0
            ? t('deletion.atOnce')
            : t('deletion.planned', { time: times.format(deletesAtMs) });
        notify.toast(text, 'good');
      }}
    />
  );
}
