import type { RoomAbout } from '@mogakgong/contract';
import LinkIcon from 'lucide-react/icons/link';
import { useStore } from 'zustand';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import type { RoomLive } from '../live/room-live.ts';
import type { Panels } from '../panels/panels.tsx';

const BusyHours = onDemand(async () => (await import('../entering/busy-hours.tsx')).BusyHours, {
  isQuiet: true,
});

interface AloneHintProps {
  readonly live: Pick<RoomLive, 'userId' | 'store'>;
  readonly panels: Pick<Panels, 'open' | 'toggle'>;
}

/** Shown below the only tile: how others come to this room. */
export function AloneHint({ live, panels }: AloneHintProps) {
  const { t } = useTranslation();
  const about = useStore(live.store, (room) => room.about);
  if (about === null || (about.isPublic && !about.needsApproval && !about.isGroup)) {
    return (
      <>
        <p>{t('room.alone')}</p>
        <BusyHours userId={live.userId} />
      </>
    );
  }
  return <ClosedRoomHint {...{ about, panels }} isHost={about.hostId === live.userId} />;
}

interface ClosedRoomHintProps extends Pick<AloneHintProps, 'panels'> {
  readonly about: RoomAbout;
  readonly isHost: boolean;
}

/** /main sends nobody here: people come by the link, or after the host admits them. */
function ClosedRoomHint({ about, isHost, panels }: ClosedRoomHintProps) {
  const { t } = useTranslation(roomTexts);
  if (about.isGroup) return <p>{t('alone.group')}</p>;
  const byYes = isHost ? 'alone.asked' : 'alone.admitted';
  return (
    <>
      <p>{t(about.needsApproval ? byYes : 'alone.invited')}</p>
      {isHost && (
        <Button
          size="small"
          icon={LinkIcon}
          aria-expanded={panels.open === 'about'}
          onClick={() => panels.toggle('about')}
        >
          {t('host.link')}
        </Button>
      )}
    </>
  );
}
