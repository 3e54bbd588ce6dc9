import type { UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { sanctionTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useMoments } from '../../shared/today/use-moments.ts';
import { Button } from '../../shared/ui/button.tsx';
import type { SanctionOf } from './own-sanctions.ts';
import { SanctionDialog } from './sanction-notices.tsx';
import { untilText } from './until-text.ts';

interface SanctionNoteProps {
  readonly userId: UserId;
  readonly sanction: SanctionOf<'muteChat' | 'cameraOff'>;
}

/** Shown beside a disabled function: the end of the sanction, and a link to the reason. */
export function SanctionNote({ userId, sanction }: SanctionNoteProps) {
  const { t } = useTranslation(sanctionTexts);
  const [isOpen, setIsOpen] = useState(false);
  const until = untilText(sanction, t, useMoments(userId, 'long'));
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-small">
      <p className="min-w-0 flex-1 basis-40">{t(`note.${sanction.kind}`, { until })}</p>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {t('sanctions.reasonOf')}
      </Button>
      {isOpen && (
        <SanctionDialog userId={userId} sanction={sanction} onClose={() => setIsOpen(false)} />
      )}
    </div>
  );
}
