import Mail from 'lucide-react/icons/mail';
import UserPlus from 'lucide-react/icons/user-plus';
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
      links={{ [paths.support]: t('account.support') }}
    >
      <div className="grid gap-3">
        <section
          aria-labelledby="newcomer"
          className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-medium bg-lamp-wash px-4 py-3"
        >
          <h2 id="newcomer" className="font-semibold text-small">
            {t('login.newcomer')}
          </h2>
          <LinkButton href={withReturnPath(paths.join, next)} variant="primary" icon={UserPlus}>
            {t('login.toJoin')}
          </LinkButton>
        </section>
        <SocialButtons next={next} />
        <LinkButton href={withReturnPath(paths.emailLogin, next)} size="large" wide icon={Mail}>
          {t('login.withEmail')}
        </LinkButton>
        <details>
          <summary className="mx-auto flex min-h-11 w-fit cursor-pointer items-center text-ink-soft text-small">
            {t('login.otherWays')}
          </summary>
          <PasskeyLogin />
        </details>
      </div>
    </AuthPage>
  );
}
