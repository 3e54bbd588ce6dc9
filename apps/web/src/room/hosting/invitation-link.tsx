import { type RoomId, renewInvitation } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { SecretLink } from '../../shared/ui/secret-link.tsx';
import type { useHostCalls } from './host-view.ts';

interface InvitationLinkProps {
  readonly run: ReturnType<typeof useHostCalls>;
  readonly roomId: RoomId;
  readonly invitation: string;
}

/** The link of a room. Its token is in the hash, which no server, log or Referer sees. */
export function InvitationLink({ run, roomId, invitation }: InvitationLinkProps) {
  const { t } = useTranslation(roomTexts);
  const renew = async () => {
    const isSure = await confirmed(t('host.renewAsk'), t('host.renewNote'), t('host.renew'));
    if (isSure) await run(() => call(renewInvitation, { params: { roomId } }));
  };
  return (
    <SecretLink
      link={`${window.location.origin}${paths.invitation}#${invitation}`}
      label={t('host.link')}
      hint={t('host.linkNote')}
      shareLabel={t('host.share')}
      renewLabel={t('host.renew')}
      onRenew={() => void renew()}
    />
  );
}
