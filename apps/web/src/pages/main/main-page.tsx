import { DoorOpen } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { RoomList } from '../../features/hosting/room-list.tsx';
import { useLiveliness } from '../../features/rooms/liveliness.ts';
import { useCurrentRoom } from '../../room/current-room.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { DeskWall } from './desk-wall.tsx';

const EnterDialog = onDemand(async () => (await import('../../room/enter-dialog.tsx')).EnterDialog);

/** The way into a study room (specification §2, `/main`). */
export function MainPage() {
  const { t } = useTranslation();
  const liveliness = useLiveliness();
  const learners = liveliness?.learners ?? 0;
  const seat = useCurrentRoom((room) => room.seat);
  const userId = useOwnUserId();
  const [isEntering, setIsEntering] = useState(false);
  usePageTitle(t('main.title'));
  const look = { variant: 'primary', size: 'large', wide: true, icon: DoorOpen } as const;
  return (
    <div className="m-auto grid w-full max-w-[104rem] grid-cols-[minmax(0,1fr)] items-start gap-5 px-4 py-6 sm:px-6 lg:grid-cols-[minmax(0,1fr)_21rem] 2xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="relative grid place-items-center lg:sticky lg:top-20">
        <div className="col-start-1 row-start-1 w-full">
          <DeskWall learners={learners} />
        </div>
        <section className="z-10 col-start-1 max-sm:sticky max-sm:top-28 max-sm:mt-24 max-sm:self-start row-start-1 grid w-[min(26rem,100%)] justify-items-center gap-3 rounded-large border border-line bg-surface p-6 text-center shadow-float sm:p-9">
          <h1 className="text-title font-extrabold">{t('main.heading')}</h1>
          <p className="text-ink-soft text-small">
            {seat ? t('room.youAreIn', { number: seat.roomId }) : t('main.lead')}
          </p>
          <p role="status" className="min-h-6 font-semibold text-lamp-ink text-small">
            {liveliness && learners === 0 && t('main.nobody')}
            {learners > 0 && t('main.live', { count: learners })}
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
      </div>
      <Suspense>
        <RoomList userId={userId} />
      </Suspense>
      {isEntering && <EnterDialog onClose={() => setIsEntering(false)} />}
    </div>
  );
}
