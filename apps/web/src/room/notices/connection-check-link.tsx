import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';

/** Opens the connection check in another tab, so that the room continues. */
export function ConnectionCheckLink() {
  const { t } = useTranslation(roomTexts);
  return (
    <a
      href={paths.diagnostics}
      target="_blank"
      rel="noopener"
      className="inline-flex min-h-9 items-center font-semibold text-ink text-small underline underline-offset-4"
    >
      {t('room.checkConnection')}
    </a>
  );
}
