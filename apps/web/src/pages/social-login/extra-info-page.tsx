import { getSocialSignup, UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { AuthPage } from '../../features/auth/auth-page.tsx';
import { returnPath } from '../../features/auth/return-path.ts';
import { logInWithToken, userIdOfToken } from '../../features/auth/session.ts';
import { SocialSignupForm } from '../../features/auth/social-signup-form.tsx';
import { socialTexts } from '../../features/auth/social-texts.ts';
import { uploadPicture } from '../../features/profile/change-picture.ts';
import { FirstPicture } from '../../features/profile/first-picture.tsx';
import { profileTexts } from '../../features/profile/profile-texts.ts';
import { ApiError, call, storeAccessToken } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { failureOf } from './failure.ts';

/** The rest of the sign-up of a new person (specification §2, `/signup/extra-info`). */
export function ExtraInfoPage() {
  const { t } = useTranslation(socialTexts);
  return (
    <AuthPage
      title={t('extra.title')}
      lead={t('extra.lead')}
      links={{ [paths.login]: t('extra.restart') }}
    >
      <Newcomer />
    </AuthPage>
  );
}

/** The form, for a sign-up started in this browser. */
function Newcomer() {
  const { t } = useTranslation(socialTexts);
  const [, navigate] = useLocation();
  const load = async (signal: AbortSignal) => {
    try {
      return await call(getSocialSignup, {}, { signal, fallback: t('extra.loadFailed') });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) navigate(...failureOf(error));
      throw error;
    }
  };
  const loaded = useLoaded(['social-signup'], load, { gcTime: 0 });
  return (
    <LoadState of={loaded}>
      {({ provider, email, nickname }) => {
        const values = { provider: t(`provider.${provider}`), email: email ?? '' };
        return (
          <div className="grid gap-5">
            <p className="break-words text-center text-ink-soft text-small">
              {t(email === null ? 'extra.from' : 'extra.fromEmail', values)}
            </p>
            <NewcomerForm suggestion={nickname} />
          </div>
        );
      }}
    </LoadState>
  );
}

/**
 * The form with a picture, which is uploaded once there is an account; if the upload fails the account
 * stands.
 */
function NewcomerForm({ suggestion }: { readonly suggestion: string }) {
  const { t } = useTranslation(profileTexts);
  const [, navigate] = useLocation();
  const next = returnPath(useSearch());
  const [picture, setPicture] = useState<Blob | null>(null);

  /** Whether the picture was stored. */
  const upload = async (token: string, chosen: Blob) => {
    storeAccessToken(token);
    const failed = t('picture.firstFailed');
    const fallbacks = { upload: failed, change: failed };
    const uploading = uploadPicture(UserId.parse(userIdOfToken(token)), chosen, fallbacks);
    return uploading.then(() => true).catch(() => false);
  };
  const finish = async (token: string) => {
    const isUploaded = picture === null || (await upload(token, picture));
    await logInWithToken(token);
    navigate(next, { replace: true });
    // A toast for the next page is shown after navigating there.
    if (!isUploaded) notify.toast(t('picture.firstFailed'), 'bad');
  };
  return (
    <SocialSignupForm
      suggestion={suggestion}
      onJoined={finish}
      renderPicture={(nickname) => (
        <FirstPicture nickname={nickname} picture={picture} onChange={setPicture} />
      )}
    />
  );
}
