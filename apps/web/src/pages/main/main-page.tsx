import { getAdmission, type RoomId, type UserId } from '@mogakgong/contract';
import { DoorOpen } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { asksToEnter } from '../../features/auth/return-path.ts';
import { resetLatestVisit, useLatestVisit } from '../../features/statistics/use-visits.ts';
import { EnterDialog } from '../../room/entering/enter-dialog.tsx';
import { useLiveliness } from '../../room/entering/liveliness.ts';
import { useCurrentRoom } from '../../room/live/current-room.ts';
import { useRoomName } from '../../room/live/room-name.ts';
import { call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths, studyRoomPath } from '../../shared/lib/paths.ts';
import { useIsOnline } from '../../shared/lib/use-is-online.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { DeskWall } from './desk-wall.tsx';
import { OwnDay } from './own-day.tsx';

const BusyHours = onDemand(
  async () => (await import('../../room/entering/busy-hours.tsx')).BusyHours,
  { isQuiet: true },
);
const RoomList = onDemand(async () => (await import('../../room/hosting/room-list.tsx')).RoomList);
const Invitations = onDemand(
  async () => (await import('../../features/friends/friend-states.tsx')).InvitationsOnMain,
  { isQuiet: true },
);
const FocusingFriends = onDemand(
  async () => (await import('../../features/friends/friend-states.tsx')).FocusingFriends,
  { isQuiet: true },
);
const OwnGroups = onDemand(
  async () => (await import('../../features/groups/own-groups-on-main.tsx')).OwnGroupsOnMain,
);
/** Downloaded after leaving a room. */
const Goodbye = onDemand(async () => (await import('./goodbye.tsx')).Goodbye);

/** The start page of a logged-in learner (specification §2, `/main`). */
export function MainPage() {
  const userId = useOwnUserId();
  return userId !== null && <MainPageOf userId={userId} />;
}

function MainPageOf({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(studyTexts);
  const liveliness = useLiveliness();
  const visits = useLatestVisit(userId);
  const seat = useCurrentRoom((room) => room.seat);
  const left = useCurrentRoom((room) => room.left);
  const isLeaving = useCurrentRoom((room) => room.leavingRoomId !== null);
  const latest = visits.value?.visits[0];
  // A seat may be held by another tab or device: its visit has no end.
  const heldElsewhere = !isLeaving && latest?.endedAtMs === null ? latest.roomId : null;
  const seatedIn = seat?.roomId ?? heldElsewhere;
  useEffect(() => {
    // An answer from before the seat was given up still shows the learner seated.
    if (isLeaving) return () => resetLatestVisit(userId);
  }, [isLeaving, userId]);
  const [isEntering, setIsEntering] = useState(false);
  const [, navigate] = useLocation();
  const isAsked = asksToEnter(useSearch()) && seatedIn === null;
  const stopEntering = () => {
    setIsEntering(false);
    if (isAsked) navigate(paths.main, { replace: true });
  };
  usePageTitle(t('main.title'));
  const look = { variant: 'primary', size: 'large', icon: DoorOpen } as const;
  return (
    <>
      <Suspense>
        {left?.userId === userId && <Goodbye userId={userId} leftAtMs={left.atMs} />}
      </Suspense>
      <section data-theme="dark" className="relative overflow-hidden bg-ground text-ink">
        <div className="mx-auto grid w-full max-w-[120rem] items-center gap-6 px-4 pt-6 sm:px-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:gap-10 lg:py-6 lg:pr-0 lg:pl-[max(1.5rem,calc((min(100vw,120rem)-84rem)/2+1.5rem))]">
          <div>
            <div className="flex flex-wrap items-center gap-x-4">
              <Live learners={liveliness?.learners} isSeated={seatedIn !== null} />
              <Suspense>
                <FocusingFriends userId={userId} />
              </Suspense>
            </div>
            {liveliness && liveliness.learners <= (seatedIn === null ? 0 : 1) && (
              <BusyHours userId={userId} />
            )}
            <h1 className="mt-3 font-extrabold text-heading">{t('main.heading')}</h1>
            <p className="mt-2 text-ink-soft">
              {seatedIn === null ? (
                t('main.lead')
              ) : (
                <YouAreIn userId={userId} roomId={seatedIn} isElsewhere={seat === null} />
              )}
            </p>
            <OwnDay userId={userId} visits={visits} isSeated={seatedIn !== null} />
            <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-3 max-sm:grid">
              {seatedIn === null ? (
                <Button {...look} onClick={() => setIsEntering(true)}>
                  {t('main.enter')}
                </Button>
              ) : (
                <LinkButton {...look} href={studyRoomPath(seatedIn)}>
                  {t('main.backToSeat')}
                </LinkButton>
              )}
              <p className="text-caption text-ink-soft">{t('main.cameraOnly')}</p>
            </div>
          </div>
          <DeskWall
            learners={liveliness?.learners ?? 0}
            isFreeDeskLit={liveliness !== null && seatedIn === null}
          />
        </div>
      </section>
      {/* Reserves the height of a short list, so that the footer stays in place. */}
      <div className="mx-auto grid min-h-96 w-full max-w-[84rem] grid-cols-[minmax(0,1fr)] content-start items-start gap-5 px-4 py-6 sm:px-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Suspense>
          <Invitations userId={userId} />
        </Suspense>
        <Suspense>
          <RoomList userId={userId} seatedIn={seatedIn} />
        </Suspense>
        <Suspense>
          <OwnGroups userId={userId} />
        </Suspense>
      </div>
      {(isEntering || isAsked) && <EnterDialog onClose={stopEntering} />}
    </>
  );
}

interface YouAreInProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
  /** The seat is held by another tab or device. */
  readonly isElsewhere: boolean;
}

function YouAreIn({ userId, roomId, isElsewhere }: YouAreInProps) {
  const { t } = useTranslation(studyTexts);
  const name = useRoomName(roomId);
  const elsewhere = useLoaded(
    ['room-elsewhere', userId, roomId],
    (signal) => call(getAdmission, { params: { roomId } }, { signal }),
    { enabled: isElsewhere },
  );
  return t('main.youAreIn', { room: elsewhere.value?.room?.name ?? name });
}

interface LiveProps {
  /** Seated right now, the learner included; undefined until known. */
  readonly learners: number | undefined;
  readonly isSeated: boolean;
}

/** How many others study now. */
function Live({ learners, isSeated }: LiveProps) {
  const { t } = useTranslation(studyTexts);
  const isOnline = useIsOnline();
  const text = () => {
    if (!isOnline) return t('main.offline');
    if (learners === undefined) return '';
    const others = learners - (isSeated ? 1 : 0);
    if (others > 0) return t(isSeated ? 'main.withOthers' : 'main.live', { count: others });
    return t(isSeated ? 'main.alone' : 'enter.nobody');
  };
  const line = text();
  return (
    <p
      // The number changes often, so only a lost connection is read out.
      aria-live={isOnline ? 'off' : 'polite'}
      className="flex min-h-7 items-center gap-2.5 font-semibold text-lamp-ink text-small"
    >
      {line !== '' && (
        <span className="size-2.5 shrink-0 rounded-full bg-lamp forced-color-adjust-none" />
      )}
      {line}
    </p>
  );
}
