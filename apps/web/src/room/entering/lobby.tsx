import type { RoomId, UserId } from '@mogakgong/contract';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { LogInAgain } from '../../features/auth/log-in-again.tsx';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import type { Refusal } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { RoomRuleNotes } from '../hosting/room-rules.tsx';
import { checkStudyRoom } from '../live/room-calls.ts';
import { Admission } from './admission.tsx';
import { EnterDialog } from './enter-dialog.tsx';
import { findAdmission } from './find-admission.ts';
import { RoomMessage } from './room-message.tsx';
import { RefusedRoom, ToMain } from './stopped-room.tsx';

/** The entrance of a room; null: the address names none. */
export function Lobby({ roomId }: { readonly roomId: RoomId | null }) {
  const { t } = useTranslation();
  const userId = useOwnUserId();
  if (userId === null) return <LogInAgain />;
  if (roomId !== null) return <OpenLobby userId={userId} roomId={roomId} />;
  return (
    <RoomMessage
      title={t('room.notFoundTitle')}
      text={t('room.notFoundHelp')}
      actions={<ToMain />}
    />
  );
}

/** Looks the room up, then shows the camera check. */
function OpenLobby({ userId, roomId }: { readonly userId: UserId; readonly roomId: RoomId }) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const { value: admission } = useLoaded(['admission', userId, roomId], (signal) =>
    findAdmission(roomId, signal),
  );
  const room = admission?.room;
  const { value: entry } = useLoaded(
    ['entry', userId, roomId],
    (signal) => checkStudyRoom(roomId, signal),
    // Not cached: the room has changed by the next visit.
    { gcTime: 0 },
  );
  /** A refusal after the first answer; `leavesSeat`: the host has accepted a learner who sits elsewhere. */
  const [newer, setNewer] = useState<Entrance>();
  const { refusal, leavesSeat } = newer ?? { refusal: entry?.refusal ?? null, leavesSeat: false };
  const asks = useAskingElsewhere(refusal, admission);
  if (refusal !== null && (asks || ADMISSION_REFUSALS.includes(refusal.errorName ?? ''))) {
    return (
      <Suspense>
        <Admission
          {...{ userId, roomId, refusal }}
          keepsSeat={asks}
          onAdmitted={() => setNewer({ refusal: null, leavesSeat: asks })}
        />
      </Suspense>
    );
  }
  const isKnown = entry !== null && (!isElsewhere(refusal) || admission !== null);
  if (refusal !== null && isKnown) {
    const retry = () => setNewer({ refusal: null, leavesSeat: false });
    return <RefusedRoom roomId={roomId} refusal={refusal} onRetry={retry} />;
  }
  return (
    <>
      <RoomMessage
        title={room?.name ?? t('room.title', { number: roomId })}
        text={isKnown ? undefined : t('common.loading')}
        light="low"
        isBusy={!isKnown}
      />
      {isKnown && (
        <EnterDialog
          roomId={roomId}
          leavesSeat={leavesSeat}
          fill={entry.fill}
          note={
            room && (
              <Suspense>
                <RoomRuleNotes room={{ ...room, needsApproval: false }} />
              </Suspense>
            )
          }
          onClose={() => navigate(paths.main)}
          onRefused={(refused) => setNewer({ refusal: refused, leavesSeat: false })}
        />
      )}
    </>
  );
}

interface Entrance {
  readonly refusal: Refusal | null;
  /** Gives up the seat in another room first. */
  readonly leavesSeat: boolean;
}

const ADMISSION_REFUSALS = ['approvalNeeded', 'invitationNeeded'];

const isElsewhere = (refusal: Refusal | null) => refusal?.errorName === 'seatedElsewhere';

/**
 * Whether a learner seated elsewhere asks the host of this room: until the answer they keep that seat.
 * It stays true once the host has accepted.
 */
function useAskingElsewhere(
  refusal: Refusal | null,
  admission: Awaited<ReturnType<typeof findAdmission>> | null,
): boolean {
  const [asks, setAsks] = useState(false);
  const isLetIn = admission?.status === 'free' || admission?.status === 'admitted';
  if (!asks && isElsewhere(refusal) && admission?.room && !isLetIn) setAsks(true);
  return asks && isElsewhere(refusal);
}
