import { DoorOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLiveliness } from '../../features/rooms/index.ts';
import { useCurrentRoom } from '../../room/current-room.ts';
import { loadRoomCode } from '../../room/room-actions.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { DeskWall } from './desk-wall.tsx';

/** How long the page has the network for itself before the code of the next steps is downloaded. */
const PREFETCH_AFTER_MS = 1_000;

const EnterDialog = onDemand(async () => (await import('../../room/enter-dialog.tsx')).EnterDialog);

function prefetchRoom(): void {
  Promise.all([EnterDialog.prefetch(), loadRoomCode()]).catch(() => undefined);
}

/** The way into a study room (specification §2, `/main`). */
export function MainPage() {
  const { t } = useTranslation();
  const liveliness = useLiveliness();
  const seat = useCurrentRoom((room) => room.seat);
  const [isEntering, setIsEntering] = useState(false);
  usePageTitle(t('main.title'));
  useEffect(() => {
    const timer = setTimeout(prefetchRoom, PREFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const look = {
    variant: 'primary',
    size: 'large',
    wide: true,
    icon: <DoorOpen size={22} aria-hidden="true" />,
  } as const;
  return (
    <div className="relative m-auto grid w-full max-w-[84rem] place-items-center px-4 py-6 sm:px-6">
      <div className="col-start-1 row-start-1 w-full">
        <DeskWall learners={liveliness?.learners ?? 0} />
      </div>
      <section className="z-10 col-start-1 max-sm:sticky max-sm:top-28 max-sm:mt-24 max-sm:self-start row-start-1 grid w-[min(26rem,100%)] justify-items-center gap-3 rounded-large border border-line bg-surface p-6 text-center shadow-float sm:p-9">
        <h1 className="text-title font-extrabold">{t('main.heading')}</h1>
        <p className="text-ink-soft text-small">{t('main.lead')}</p>
        <p role="status" className="min-h-6 font-semibold text-lamp-ink text-small">
          {liveliness && <LiveNumbers {...liveliness} />}
        </p>
        {seat === null ? (
          <Button {...look} onClick={() => setIsEntering(true)}>
            {t('main.enter')}
          </Button>
        ) : (
          <LinkButton {...look} href={studyRoomPath(seat.roomId)}>
            {t('main.backToSeat')}
          </LinkButton>
        )}
        <p className="text-caption text-ink-soft">{t('main.cameraOnly')}</p>
      </section>
      {isEntering && <EnterDialog onClose={() => setIsEntering(false)} />}
    </div>
  );
}

interface LiveNumbersProps {
  readonly learners: number;
  readonly rooms: number;
}

function LiveNumbers({ learners, rooms }: LiveNumbersProps) {
  const { t } = useTranslation();
  if (learners === 0) return t('main.nobody');
  return t('main.live', { count: learners, rooms: t('main.rooms', { count: rooms }) });
}
