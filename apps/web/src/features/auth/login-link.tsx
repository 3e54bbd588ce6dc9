import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';

/** The way to log in, in the header of who is logged out (specification §6). */
export function LoginLink() {
  const { t } = useTranslation();
  return (
    <LinkButton href={paths.login} variant="primary" size="small">
      {t('header.login')}
    </LinkButton>
  );
}
