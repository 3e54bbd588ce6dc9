import {
  getSocialProviders,
  type RouteReply,
  SOCIAL_AUTHORIZATION_PATH,
  type SocialProvider,
  socialProviders,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { SocialMark } from './social-mark.tsx';

type OfferedProvider = RouteReply<typeof getSocialProviders>['providers'][number];

const labels = {
  google: 'login.withGoogle',
  kakao: 'login.withKakao',
  naver: 'login.withNaver',
} as const satisfies Record<SocialProvider, string>;

/**
 * The providers that the server wrote into the page, so that their buttons paint before the script runs. The
 * build renders all buttons; base.css hides the others until the server has written its list.
 */
function providersOfPage(): readonly OfferedProvider[] {
  const isBuild = typeof document === 'undefined';
  const written = isBuild ? [] : (document.documentElement.dataset.social ?? '').split(' ');
  return socialProviders
    .filter((provider) => isBuild || written.includes(provider))
    .map((provider) => ({ provider, isDouble: false }));
}

/** The providers that the site offers; those written into the page until, or where, it cannot be asked. */
export function useSocialProviders(): readonly OfferedProvider[] {
  const { value } = useLoaded(['social-providers'], (signal) =>
    call(getSocialProviders, {}, { signal }),
  );
  return value?.providers ?? providersOfPage();
}

interface SocialButtonsProps {
  /** Where to go after the log-in. */
  readonly next: string;
  /** The providers to choose from; all of the site by default. */
  readonly only?: readonly SocialProvider[];
}

/** Most Korean learners have an account at Kakao. */
const ORDER: Readonly<Record<Language, readonly SocialProvider[]>> = {
  ko: ['kakao', 'naver', 'google'],
  en: ['google', 'kakao', 'naver'],
};

/** E-mail log-in needs none of them, so providers that cannot be loaded are left out. */
export function SocialButtons({ next, only }: SocialButtonsProps) {
  const { t, language } = useTranslation();
  const order = ORDER[language];
  const offered = useSocialProviders().toSorted(
    (one, other) => order.indexOf(one.provider) - order.indexOf(other.provider),
  );
  const shown = only ? offered.filter(({ provider }) => only.includes(provider)) : offered;
  return shown.map(({ provider, isDouble }) => (
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
