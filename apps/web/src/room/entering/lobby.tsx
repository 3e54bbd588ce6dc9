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
  /** A refusal after the first answer. */
  const [newer, setRefusal] = useState<Refusal | null>();
  const refusal = newer === undefined ? (entry?.refusal ?? null) : newer;
  const isAsked =
    refusal?.errorName === 'approvalNeeded' || refusal?.errorName === 'invitationNeeded';
  if (refusal !== null && isAsked) {
    return (
      <Suspense>
        <Admission {...{ userId, roomId, refusal }} onAdmitted={() => setRefusal(null)} />
      </Suspense>
    );
  }
  if (refusal !== null) {
    return <RefusedRoom roomId={roomId} refusal={refusal} onRetry={() => setRefusal(null)} />;
  }
  return (
    <>
      <RoomMessage
        title={room?.name ?? t('room.title', { number: roomId })}
        text={entry ? undefined : t('common.loading')}
        light="low"
        isBusy={entry === null}
      />
      {entry && (
        <EnterDialog
          roomId={roomId}
          fill={entry.fill}
          note={
            room && (
              <Suspense>
                <RoomRuleNotes room={{ ...room, needsApproval: false }} />
              </Suspense>
            )
          }
          onClose={() => navigate(paths.main)}
          onRefused={setRefusal}
        />
      )}
    </>
  );
}
