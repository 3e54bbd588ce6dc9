import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';

/** The end of the header: the way to log in. */
export function HeaderAccount() {
  const { t } = useTranslation();
  return (
    <LinkButton href={paths.login} variant="primary" size="small">
      {t('header.login')}
    </LinkButton>
  );
}
