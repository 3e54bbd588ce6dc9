import { useLocation, useSearch } from 'wouter';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { returnPath, withReturnPath } from './return-path.ts';

/** Public pages that show more to a logged-in learner; the link leads back to them. */
const FULLER_PAGES: readonly string[] = [
  paths.invitation,
  paths.friendLink,
  paths.groupLink,
  paths.support,
];

/** The log-in link in the header for logged-out visitors (specification §6). */
export function LoginLink() {
  const { t } = useTranslation();
  const [path] = useLocation();
  const wanted = returnPath(useSearch());
  const next = FULLER_PAGES.includes(path) ? path : wanted;
  return (
    <LinkButton href={withReturnPath(paths.login, next)} variant="primary" size="small">
      {t('header.login')}
    </LinkButton>
  );
}
