import type { RoomId } from '@mogakgong/contract';
import { useState } from 'react';
import { LogInAgain } from '../../features/auth/log-in-again.tsx';
import { UnsentHere } from '../../features/chat/unsent-list.tsx';
import type { RoomState } from '../../features/media/room.ts';
import { useSanctionInForce } from '../../features/sanctions/own-sanctions.ts';
import type { Refusal } from '../../shared/api/index.ts';
import { type RoomText, roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths, settingsPath, studyRoomPath } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { useCurrentRoom } from '../live/current-room.ts';
import type { RoomLive } from '../live/room-live.ts';
import { ConnectionCheckLink } from '../notices/connection-check-link.tsx';
import { EnterDialog } from './enter-dialog.tsx';
import { RoomMessage } from './room-message.tsx';

interface StoppedRoomProps {
  readonly state: Extract<RoomState, { kind: 'refused' | 'replaced' | 'removed' }>;
  readonly live: RoomLive;
}

/** Why the learner is no longer in the room, and every way to continue. */
export function StoppedRoom({ state, live }: StoppedRoomProps) {
  const { t } = useTranslation(roomTexts);
  const removal = useSanctionInForce(live.userId, 'remove');
  return (
    <div className="m-auto w-full max-w-lg">
      {state.kind === 'refused' ? (
        <RefusedRoom roomId={live.roomId} refusal={state.refusal} onRetry={live.enter} />
      ) : state.kind === 'removed' && removal?.roomId === live.roomId ? (
        <LostSeat reason="sanctioned" onRetry={live.enter} />
      ) : (
        <RoomMessage
          title={t(`room.${state.kind}`)}
          text={
            <>
              {t(`room.${state.kind}Help`)}
              {state.kind === 'removed' && (
                <p>
                  <ConnectionCheckLink />
                </p>
              )}
            </>
          }
          actions={
            <>
              <ToMain />
              <Button variant="primary" onClick={live.enter}>
                {t(state.kind === 'replaced' ? 'room.useHere' : 'room.enterAgain')}
              </Button>
            </>
          }
        />
      )}
      <div className="px-5 pb-10">
        <UnsentHere userId={live.userId} />
      </div>
    </div>
  );
}

export function ToMain() {
  const { t } = useTranslation();
  return <LinkButton href={paths.main}>{t('room.toMain')}</LinkButton>;
}

type TextKey = Parameters<RoomText>[0];

/** Refusals that another seat solves. */
const HELPS: Readonly<Record<string, TextKey>> = {
  roomFull: 'refused.fullHelp',
  blockedPersonInRoom: 'refused.fullHelp',
  removedFromRoom: 'refused.fullHelp',
  roomNotFound: 'room.notFoundHelp',
  roomClosed: 'refused.fullHelp',
  removedByHost: 'refused.fullHelp',
  invitationNeeded: 'refused.fullHelp',
  roomOfGroup: 'refused.fullHelp',
  seatedElsewhere: 'refused.elsewhereHelp',
};
/** Refusals of the log-in that this browser remembers. */
const LOG_IN_REFUSALS = ['notYourself', 'userNotFound', 'unauthorized', 'sessionEnded'];

interface RefusedRoomProps {
  readonly roomId: RoomId;
  readonly refusal: Refusal;
  readonly onRetry: () => void;
}

/** Why the learner has no seat in this room, and how to get one. */
export function RefusedRoom(props: RefusedRoomProps) {
  const { refusal } = props;
  const lost = LOST_SEATS.find((reason) => reason === refusal.errorName);
  return lost ? <LostSeat {...props} reason={lost} /> : <RefusedEntry {...props} />;
}

/** Why a seat in a hosted room was taken away. */
const LOST_SEATS = ['closed', 'removed', 'cameraOff'] as const;

interface LostSeatProps extends Pick<RefusedRoomProps, 'onRetry'> {
  /** `sanctioned`: a moderator removed the learner. */
  readonly reason: (typeof LOST_SEATS)[number] | 'sanctioned';
}

function LostSeat({ reason, onRetry }: LostSeatProps) {
  const { t } = useTranslation(roomTexts);
  const [isEntering, setIsEntering] = useState(false);
  const mayReturn = reason === 'cameraOff';
  return (
    <>
      <RoomMessage
        title={t(`lost.${reason}`)}
        text={t(`lost.${reason}Help`)}
        actions={
          <>
            <ToMain />
            <Button variant="primary" onClick={mayReturn ? onRetry : () => setIsEntering(true)}>
              {t(mayReturn ? 'room.enterAgain' : 'refused.findAnother')}
            </Button>
          </>
        }
      />
      {isEntering && <EnterDialog onClose={() => setIsEntering(false)} />}
    </>
  );
}

function RefusedEntry({ roomId, refusal, onRetry }: RefusedRoomProps) {
  const { t } = useTranslation(roomTexts);
  const [entry, setEntry] = useState<'here' | 'anywhere' | null>(null);
  const heldRoomId = useCurrentRoom((room) => room.seat?.roomId);
  const errorName = refusal.errorName ?? '';
  if (LOG_IN_REFUSALS.includes(errorName)) return <LogInAgain />;
  const isSeatedElsewhere = errorName === 'seatedElsewhere';
  const help = HELPS[errorName];
  return (
    <>
      <RoomMessage
        title={refusal.message}
        text={help ? t(help) : <ConnectionCheckLink />}
        actions={
          <>
            {isSeatedElsewhere ? (
              <Button onClick={() => setEntry('here')}>{t('refused.moveHere')}</Button>
            ) : errorName === 'blockedPersonInRoom' ? (
              <LinkButton href={settingsPath('blocked')}>{t('refused.seeBlocked')}</LinkButton>
            ) : (
              <ToMain />
            )}
            {isSeatedElsewhere && heldRoomId ? (
              <LinkButton variant="primary" href={studyRoomPath(heldRoomId)}>
                {t('list.backToSeat')}
              </LinkButton>
            ) : (
              <Button variant="primary" onClick={help ? () => setEntry('anywhere') : onRetry}>
                {t(
                  isSeatedElsewhere
                    ? 'list.backToSeat'
                    : help
                      ? 'refused.findAnother'
                      : 'common.retry',
                )}
              </Button>
            )}
          </>
        }
      />
      {entry && (
        <EnterDialog
          roomId={entry === 'here' ? roomId : undefined}
          leavesSeat={entry === 'here'}
          onClose={() => setEntry(null)}
        />
      )}
    </>
  );
}
