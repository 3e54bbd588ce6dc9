import { Copy, RotateCw } from 'lucide-react';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { FieldFrame } from './field-frame.tsx';
import { Input } from './inputs.tsx';

interface SecretLinkProps {
  readonly link: string;
  readonly label: string;
  readonly hint?: string;
  readonly shareLabel: string;
  readonly renewLabel: string;
  readonly isRenewing?: boolean;
  readonly onRenew: () => void;
}

/** A link with a secret in its hash: to copy, to share by the system, and to replace. */
export function SecretLink(props: SecretLinkProps) {
  const { link, label, hint, shareLabel, renewLabel, isRenewing = false, onRenew } = props;
  const { t } = useTranslation();
  const canShare = typeof navigator.share === 'function';
  return (
    <div className="grid gap-2">
      <FieldFrame label={label} {...(hint !== undefined && { hint })}>
        {(tie) => (
          <Input {...tie} readOnly value={link} onFocus={(event) => event.target.select()} />
        )}
      </FieldFrame>
      <div className="flex flex-wrap gap-2">
        <Button size="small" variant="primary" icon={Copy} onClick={() => void copyText(link)}>
          {t('common.copy')}
        </Button>
        {canShare && (
          <Button
            size="small"
            // Closing the share sheet is a decision against sharing.
            onClick={() => void navigator.share({ url: link }).catch(() => undefined)}
          >
            {shareLabel}
          </Button>
        )}
        <Button size="small" variant="quiet" icon={RotateCw} loading={isRenewing} onClick={onRenew}>
          {renewLabel}
        </Button>
      </div>
    </div>
  );
}
