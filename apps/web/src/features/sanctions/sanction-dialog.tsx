import type { OwnSanction, UserId } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../shared/api/index.ts';
import { sanctionTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { acknowledge } from './own-sanctions.ts';
import { SanctionStatement } from './sanction-statement.tsx';

interface SanctionDialogProps {
  readonly userId: UserId;
  readonly sanction: OwnSanction;
  /** Absent for a sanction that must be confirmed. */
  readonly onClose?: () => void;
}

/** A decision about the learner in a dialog: confirmed once, readable again later. */
export function SanctionDialog({ userId, sanction, onClose }: SanctionDialogProps) {
  const { t } = useTranslation(sanctionTexts);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => acknowledge(userId, sanction.id, t('sanctions.acknowledge.failed')),
  });
  return (
    <Dialog
      role={onClose ? 'dialog' : 'alertdialog'}
      title={t(titleOf(sanction))}
      onClose={onClose}
      actions={
        onClose ? (
          <Button onClick={onClose}>{t('common.close')}</Button>
        ) : (
          <Button variant="primary" loading={isPending} onClick={() => mutate()}>
            {t('sanctions.acknowledge')}
          </Button>
        )
      }
    >
      <SanctionStatement userId={userId} sanction={sanction} />
      <FormError text={error ? messageOf(error) : undefined} />
    </Dialog>
  );
}

/** The title: what changed about a sanction. */
function titleOf({ kind, liftedAtMs, appeal }: OwnSanction) {
  if (liftedAtMs !== null) return 'title.lifted';
  return appeal?.answer ? 'title.answered' : (`title.${kind}` as const);
}
