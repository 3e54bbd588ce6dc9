import {
  getSocialProviders,
  type RouteReply,
  SOCIAL_AUTHORIZATION_PATH,
  type SocialProvider,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { SocialMark } from './social-mark.tsx';

type OfferedProvider = RouteReply<typeof getSocialProviders>['providers'][number];

const labels = {
  google: 'login.withGoogle',
  kakao: 'login.withKakao',
  naver: 'login.withNaver',
} as const satisfies Record<SocialProvider, string>;

/** The providers that the site offers; none until they are known. */
export function useSocialProviders(): readonly OfferedProvider[] {
  const ask = (signal: AbortSignal) => call(getSocialProviders, {}, { signal });
  const offered = useLoaded(['social-providers'], ask, { staleTime: Number.POSITIVE_INFINITY });
  return offered.value?.providers ?? [];
}

/** Log-in by e-mail needs none of them: providers that cannot be loaded are left out. */
export function SocialButtons({ next }: { readonly next: string }) {
  const { t } = useTranslation();
  const offered = useSocialProviders();
  return offered.map(({ provider, isDouble }) => (
    <LinkButton
      key={provider}
      external
      href={`${SOCIAL_AUTHORIZATION_PATH.replace(':provider', provider)}?${new URLSearchParams({ next })}`}
      size="large"
      wide
    >
      <SocialMark provider={provider} />
      {t(labels[provider])}
      {isDouble && ` (${t('login.double')})`}
    </LinkButton>
  ));
}
