import type { UserId } from '@mogakgong/contract';
import { AgreementPanel } from '../../features/auth/agreement-panel.tsx';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { useRestriction } from '../../features/auth/session.ts';
import { useLogOut } from '../../features/auth/use-log-out.ts';
import { ExportPanel } from '../../features/privacy/export-panel.tsx';
import { LeavingPanel } from '../../features/privacy/leaving-panel.tsx';
import { usePrivacyState } from '../../features/privacy/use-privacy-state.ts';
import { SuspendedPanel } from '../../features/sanctions/suspended-panel.tsx';
import { renewAccessToken } from '../../shared/api/index.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { AccountDeletion } from './account-deletion.tsx';

const TITLES = {
  leaving: 'leaving.page',
  consents: 'agreement.page',
  suspended: 'suspended.page',
} as const;

/** Replaces a page that the restricted account may not use: the reason, and possible actions. */
export function RestrictedAccountPage() {
  const { t } = useTranslation(accountTexts);
  const restriction = useRestriction();
  const userId = useOwnUserId();
  const logOut = useLogOut();
  const title = t(TITLES[restriction ?? 'consents']);
  usePageTitle(title);
  if (userId === null) return null;
  return (
    <div className="mx-auto grid w-full max-w-[48rem] gap-4 px-4 py-8 sm:gap-6 sm:px-6 sm:py-12">
      <h1 className="font-extrabold text-heading">{title}</h1>
      {restriction === 'leaving' ? (
        <LeavingPanel userId={userId} onCancelled={renewAccessToken} />
      ) : (
        <>
          {restriction === 'suspended' ? (
            <SuspendedPanel userId={userId} onEnded={renewAccessToken} />
          ) : (
            <AgreementPanel />
          )}
          <p className="text-ink-soft">
            {t(restriction === 'suspended' ? 'suspended.meanwhile' : 'agreement.otherwise')}
          </p>
          <ExportPanel />
          <Deletion userId={userId} />
        </>
      )}
      <div>
        <Button onClick={logOut}>{t('account.logOut')}</Button>
      </div>
    </div>
  );
}

/** Deletes the account, or cancels a scheduled deletion. */
function Deletion({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(accountTexts);
  const { value } = usePrivacyState(userId, t('leaving.loadFailed'));
  if (value?.deletesAtMs) return <LeavingPanel userId={userId} onCancelled={renewAccessToken} />;
  return <AccountDeletion />;
}
