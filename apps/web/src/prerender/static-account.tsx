import { UserRound } from 'lucide-react';
import { VisitorAccount } from '../app/visitor-account.tsx';
import { useTranslation } from '../shared/i18n/texts.ts';
import { paths } from '../shared/lib/paths.ts';
import { LinkButton } from '../shared/ui/button.tsx';

/**
 * The end of the header on prerendered pages, which are the same for everybody: what a visitor
 * has there, and a link to continue. theme.js decides which one shows; a learner's own header comes with the application.
 */
export function StaticAccount() {
  const { t } = useTranslation();
  return (
    <>
      <div data-account="out">
        <div className="flex items-center gap-0.5 sm:gap-1">
          <VisitorAccount />
        </div>
      </div>
      <div data-account="in">
        <LinkButton href={paths.main} size="small" icon={UserRound}>
          {t('header.main')}
        </LinkButton>
      </div>
    </>
  );
}
