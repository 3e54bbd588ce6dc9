import { useLocation, useSearch } from 'wouter';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { returnPath, withReturnPath } from './return-path.ts';

/** Pages for everybody that hold more for who is logged in; the link leads back to them. */
const FULLER_PAGES: readonly string[] = [paths.invitation, paths.friendLink, paths.support];

/** The way to log in, in the header of who is logged out (specification §6). */
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
