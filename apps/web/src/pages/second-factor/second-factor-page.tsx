import { finishLogin } from '@mogakgong/contract';
import { AuthPage } from '../../features/auth/auth-page.tsx';
import { PasskeyLogin } from '../../features/auth/passkey-login.tsx';
import { SecretForm } from '../../features/auth/secret-form.tsx';
import { logInWithToken } from '../../features/auth/session.ts';
import { call } from '../../shared/api/index.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';

/** The second step of a log-in started in this browser; continues by itself once logged in. */
export function SecondFactorPage() {
  const { t } = useTranslation(accountTexts);
  const finish = async (code: string) => {
    const { token } = await call(finishLogin, { body: { code } }, { fallback: t('code.failed') });
    await logInWithToken(token);
  };
  return (
    <AuthPage
      title={t('code.title')}
      lead={t('code.lead')}
      links={{ [paths.login]: t('emailLogin.back') }}
    >
      <div className="grid gap-6">
        <SecretForm
          kind="code"
          label={t('code.label')}
          hint={t('code.hint')}
          submitLabel={t('common.confirm')}
          send={finish}
          onDone={() => undefined}
        />
        <PasskeyLogin />
      </div>
    </AuthPage>
  );
}
