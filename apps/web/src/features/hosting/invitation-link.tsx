import { type RoomId, renewInvitation } from '@mogakgong/contract';
import { Copy, RotateCw } from 'lucide-react';
import { call } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { copyText } from '../../shared/ui/copy-text.ts';
import { FieldFrame } from '../../shared/ui/field-frame.tsx';
import { Input } from '../../shared/ui/inputs.tsx';
import { notify } from '../../shared/ui/notify.ts';
import type { useHostCalls } from './host-view.ts';
import { hostingTexts } from './hosting-texts.ts';

interface InvitationLinkProps {
  readonly run: ReturnType<typeof useHostCalls>;
  readonly roomId: RoomId;
  readonly invitation: string;
}

/** The link of a room: the token is behind the hash, which no server, log or Referer sees. */
export function InvitationLink({ run, roomId, invitation }: InvitationLinkProps) {
  const { t } = useTranslation(hostingTexts);
  const link = `${window.location.origin}${paths.invitation}#${invitation}`;
  const canShare = typeof navigator.share === 'function';
  const renew = async () => {
    const isSure = await notify.dialog({
      title: t('host.renewAsk'),
      text: t('host.renewNote'),
      confirmLabel: t('host.renew'),
      cancelLabel: t('common.cancel'),
    });
    if (isSure) await run(() => call(renewInvitation, { params: { roomId } }));
  };
  return (
    <div className="grid gap-2">
      <FieldFrame label={t('host.link')} hint={t('host.linkNote')}>
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
            // Who closes the sheet of the system has decided against it.
            onClick={() => void navigator.share({ url: link }).catch(() => undefined)}
          >
            {t('host.share')}
          </Button>
        )}
        <Button size="small" variant="quiet" icon={RotateCw} onClick={() => void renew()}>
          {t('host.renew')}
        </Button>
      </div>
    </div>
  );
}
