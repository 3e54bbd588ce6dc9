import { confirmSecondFactor } from '@mogakgong/contract';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { encode } from 'uqr';
import { call } from '../../shared/api/index.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { copyText } from '../../shared/ui/copy-text.ts';
import { Dialog } from '../../shared/ui/dialog.tsx';

import { SecretForm } from './secret-form.tsx';

interface SecondFactorDialogProps {
  readonly secret: string;
  readonly uri: string;
  /** Called with the recovery codes. */
  readonly onOn: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Passes the secret to an authenticator app, and turns the second factor on with its first code. */
export function SecondFactorDialog({ secret, uri, onOn, onClose }: SecondFactorDialogProps) {
  const { t } = useTranslation(accountTexts);
  const [isCopied, setIsCopied] = useState(false);
  const key = secret.match(/.{1,4}/gu)?.join(' ') ?? secret;
  return (
    <Dialog title={t('twoStep.turnOn')} onClose={onClose}>
      <div className="grid gap-5">
        <p>{t('setup.scan')}</p>
        <QrCode text={uri} label={t('setup.qr')} />
        <div className="grid gap-1 text-small">
          <p>{t('setup.key')}</p>
          <div className="flex items-center justify-between gap-2 rounded-medium bg-raised py-1 pr-1 pl-3">
            <code className="min-w-0 break-words text-ink">{key}</code>
            <IconButton
              icon={isCopied ? Check : Copy}
              label={t(isCopied ? 'common.copied' : 'setup.copyKey')}
              onClick={() => void copyText(secret).then(setIsCopied)}
            />
          </div>
        </div>
        <SecretForm
          kind="code"
          label={t('setup.code')}
          submitLabel={t('setup.confirm')}
          send={(code) =>
            call(confirmSecondFactor, { body: { code } }, { fallback: t('twoStep.failed') })
          }
          onDone={({ recoveryCodes }) => onOn(recoveryCodes)}
          actions={<Button onClick={onClose}>{t('common.cancel')}</Button>}
        />
      </div>
    </Dialog>
  );
}

/** A white margin of four modules (ISO/IEC 18004), dark on light in every theme: cameras need both. */
const QUIET_ZONE = 4;

function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, data } = encode(text, { border: QUIET_ZONE });
  const modules = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto w-52 max-w-full rounded-medium"
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="white" />
      <path d={modules} fill="black" />
    </svg>
  );
}
