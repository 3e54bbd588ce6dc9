import { Check, Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { copyText } from '../../shared/ui/copy-text.ts';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { saveFile } from '../../shared/ui/save-file.ts';

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows recovery codes once: a press outside does not close it. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { t } = useTranslation(accountTexts);
  const [isCopied, setIsCopied] = useState(false);
  const text = codes.join('\n');
  const save = () => {
    const file = new Blob([`${t('recovery.file')}\n\n${text}\n`], { type: 'text/plain' });
    saveFile('mogakgong-recovery-codes.txt', file);
  };
  return (
    <Dialog
      role="alertdialog"
      title={t('recovery.title')}
      onClose={onClose}
      actions={
        <>
          <Button
            icon={isCopied ? Check : Copy}
            onClick={() => void copyText(text).then(setIsCopied)}
          >
            {t(isCopied ? 'common.copied' : 'recovery.copy')}
          </Button>
          <Button icon={Download} onClick={save}>
            {t('recovery.save')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('recovery.kept')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>{t('recovery.lead')}</p>
        <ul className="grid gap-x-6 gap-y-1 rounded-medium bg-raised px-4 py-3 text-center text-ink sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>
              <code className="whitespace-nowrap text-small">{code}</code>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
