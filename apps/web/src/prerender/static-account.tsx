import { UserRound } from 'lucide-react';
import { LoginLink } from '../features/auth/login-link.tsx';
import { useTranslation } from '../shared/i18n/texts.ts';
import { paths } from '../shared/lib/paths.ts';
import { LinkButton } from '../shared/ui/button.tsx';

/**
 * The end of the header on prerendered pages, which are the same for everybody: the links to log in and to
 * continue. theme.js decides which one shows; static-page.ts fills in the nickname.
 */
export function StaticAccount() {
  const { t } = useTranslation();
  return (
    <>
      <div data-account="out">
        <LoginLink />
      </div>
      <div data-account="in">
        <LinkButton href={paths.main} size="small" icon={UserRound}>
          <span data-welcome={t('header.welcome')} className="max-w-[9rem] truncate">
            {t('header.main')}
          </span>
        </LinkButton>
      </div>
    </>
  );
}
