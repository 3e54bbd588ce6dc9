import {
  linkSocialLogin,
  type SocialLogins,
  type SocialProvider,
  socialProviders,
  type UserId,
  unlinkSocialLogin,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { useSocialProviders } from './social-buttons.tsx';
import { SocialMark } from './social-mark.tsx';

import { socialLoginsKey, useSocialLogins } from './use-social-logins.ts';

/** The learner's linked log-in providers; nothing where none is offered or linked. */
export function SocialLoginsPanel({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(accountTexts);
  const offered = useSocialProviders();
  const loaded = useSocialLogins(userId);
  const isEmpty = offered.length === 0 && !loaded.value?.logins.length;
  if (isEmpty && loaded.error === null) return null;
  return (
    <Panel title={t('logins.title')} lead={t('logins.lead')}>
      <LoadState of={loaded}>
        {({ logins, hasPassword }) => (
          <ul className="grid gap-3">
            {socialProviders.map((provider) => {
              const offer = offered.find((each) => each.provider === provider);
              const login = logins.find((each) => each.provider === provider);
              const name = t(`provider.${provider}`);
              const canUnlink = hasPassword || logins.length > 1;
              return (
                (offer || login) && (
                  <li key={provider} className="flex flex-wrap items-center gap-3">
                    <SocialMark provider={provider} />
                    <div className="min-w-0 flex-1">
                      <p className="font-semibold">
                        {name}
                        {offer?.isDouble && ` (${t('login.double')})`}
                      </p>
                      <p className="truncate text-ink-soft text-small">
                        {login ? (login.email ?? t('logins.linked')) : t('logins.notLinked')}
                      </p>
                    </div>
                    {!login && <LinkButton provider={provider} />}
                    {login && !canUnlink && (
                      <p className="text-ink-soft text-small">{t('logins.lastHelp')}</p>
                    )}
                    {login && canUnlink && (
                      <UnlinkButton
                        provider={provider}
                        onUnlinked={(left) =>
                          queryClient.setQueryData(socialLoginsKey(userId), left)
                        }
                      />
                    )}
                  </li>
                )
              );
            })}
          </ul>
        )}
      </LoadState>
    </Panel>
  );
}

/** Goes to the provider's page, which leads back to this one. */
function LinkButton({ provider }: { readonly provider: SocialProvider }) {
  const { t } = useTranslation(accountTexts);
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () =>
      call(linkSocialLogin, { params: { provider } }, { fallback: t('logins.linkFailed') }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => notifyFailure(error),
  });
  return (
    <Button size="small" loading={isPending || isSuccess} onClick={() => mutate()}>
      {t('logins.link', { provider: t(`provider.${provider}`) })}
    </Button>
  );
}

interface UnlinkButtonProps {
  readonly provider: SocialProvider;
  readonly onUnlinked: (left: SocialLogins) => void;
}

function UnlinkButton({ provider, onUnlinked }: UnlinkButtonProps) {
  const { t } = useTranslation(accountTexts);
  const name = t(`provider.${provider}`);
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      call(unlinkSocialLogin, { params: { provider } }, { fallback: t('logins.unlinkFailed') }),
    onSuccess: (left) => {
      onUnlinked(left);
      notify.toast(t('logins.unlinked', { provider: name }), 'good');
    },
    onError: (error) => notifyFailure(error),
  });
  return (
    <Button size="small" loading={isPending} onClick={() => mutate()}>
      {t('logins.unlink', { provider: name })}
    </Button>
  );
}
