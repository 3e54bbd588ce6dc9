import { useLayoutEffect, useRef, useState } from 'react';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { DeletionForm, type PlannedDeletion } from './deletion-form.tsx';

interface DeletionPanelProps {
  /** Called when the deletion is scheduled: the learner is logged out. */
  readonly onPlanned: (deletion: PlannedDeletion) => void;
}

/** Deletes the account, through a form that explains the deletion. */
export function DeletionPanel({ onPlanned }: DeletionPanelProps) {
  const { t } = useTranslation(accountTexts);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) buttonRef.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <Panel title={t('deletion.title')} lead={t('deletion.lead')}>
      {isOpen ? (
        <DeletionForm onPlanned={onPlanned} onClose={() => setIsOpen(false)} />
      ) : (
        <div>
          <Button ref={buttonRef} onClick={() => setIsOpen(true)}>
            {t('deletion.open')}
          </Button>
        </div>
      )}
    </Panel>
  );
}
