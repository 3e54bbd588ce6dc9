import Mail from 'lucide-react/icons/mail';
import { useSearch } from 'wouter';
import { AuthPage } from '../../features/auth/auth-page.tsx';
import { PasskeyLogin } from '../../features/auth/passkey-login.tsx';
import { returnPath, withReturnPath } from '../../features/auth/return-path.ts';
import { SocialButtons } from '../../features/auth/social-buttons.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';

/** The choice of a log-in method (specification §2, `/login`). */
export function LoginPage() {
  const { t } = useTranslation();
  const next = returnPath(useSearch());
  return (
    <AuthPage
      title={t('login.title')}
      lead={t('login.lead')}
      links={{ [paths.join]: t('login.toJoin'), [paths.support]: t('account.support') }}
    >
      <div className="grid gap-3">
        <LinkButton
          href={withReturnPath(paths.emailLogin, next)}
          variant="primary"
          size="large"
          wide
          icon={Mail}
        >
          {t('login.withEmail')}
        </LinkButton>
        <PasskeyLogin />
        <SocialButtons next={next} />
      </div>
    </AuthPage>
  );
}
