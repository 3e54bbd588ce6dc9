import { Mail } from 'lucide-react';
import { useSearch } from 'wouter';
import {
  AuthCard,
  AuthLink,
  returnPath,
  SkipWhenLoggedIn,
  withReturnPath,
} from '../../features/auth/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';

/** The choice of how to log in (specification §2, `/login`). */
export function LoginPage() {
  const { t } = useTranslation();
  const next = returnPath(useSearch());
  usePageTitle(t('login.title'));
  return (
    <SkipWhenLoggedIn>
      <AuthCard
        title={t('login.title')}
        lead={t('login.lead')}
        links={<AuthLink href={paths.join}>{t('login.toJoin')}</AuthLink>}
      >
        <LinkButton
          href={withReturnPath(paths.emailLogin, next)}
          variant="primary"
          size="large"
          wide
          icon={<Mail size={20} aria-hidden="true" />}
        >
          {t('login.withEmail')}
        </LinkButton>
      </AuthCard>
    </SkipWhenLoggedIn>
  );
}
