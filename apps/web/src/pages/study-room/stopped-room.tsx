import type { RoomId } from '@mogakgong/contract';
import { type ReactNode, useState } from 'react';
import { logOut } from '../../features/auth/session.ts';
import { UnsentHere } from '../../features/chat/index.ts';
import type { RoomState } from '../../features/media/room.ts';
import type { Refusal } from '../../features/rooms/index.ts';
import { EnterDialog } from '../../room/enter-dialog.tsx';
import type { RoomLive } from '../../room/room-live.ts';
import { type TextKey, useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { RoomMessage } from './room-message.tsx';

interface StoppedRoomProps {
  readonly state: Extract<RoomState, { kind: 'refused' | 'replaced' | 'removed' }>;
  readonly live: RoomLive;
}

/** Why one is not in the room any more, and every way on from there. */
export function StoppedRoom({ state, live }: StoppedRoomProps) {
  const { t } = useTranslation();
  return (
    <div className="m-auto w-full max-w-lg">
      {state.kind === 'refused' ? (
        <RefusedRoom roomId={live.roomId} refusal={state.refusal} onRetry={live.enter} />
      ) : (
        <RoomMessage
          title={t(`room.${state.kind}`)}
          text={t(`room.${state.kind}Help`)}
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

function ToMain() {
  const { t } = useTranslation();
  return <LinkButton href={paths.main}>{t('room.toMain')}</LinkButton>;
}

/** The log-in that this browser remembers is not a learner's, or not any more (specification §5). */
export function LogInAgain() {
  const { t } = useTranslation();
  return (
    <RoomMessage
      title={t('room.invalidUser')}
      actions={
        <Button variant="primary" onClick={logOut}>
          {t('room.logInAgain')}
        </Button>
      }
    />
  );
}

interface RefusedRoomProps {
  readonly roomId: RoomId;
  readonly refusal: Refusal;
  readonly onRetry: () => void;
}

/** Why there is no seat for the learner in this room, and the way to one. */
export function RefusedRoom({ roomId, refusal, onRetry }: RefusedRoomProps) {
  const { t } = useTranslation();
  const [isEntering, setIsEntering] = useState<{ here: boolean } | null>(null);
  const message = (help: TextKey | null, actions: ReactNode) => (
    <>
      <RoomMessage title={refusal.message} text={help && t(help)} actions={actions} />
      {isEntering && (
        <EnterDialog
          roomId={isEntering.here ? roomId : undefined}
          leavesSeat={isEntering.here}
          onClose={() => setIsEntering(null)}
        />
      )}
    </>
  );
  const toSeat = (label: TextKey) => (
    <Button variant="primary" onClick={() => setIsEntering({ here: false })}>
      {t(label)}
    </Button>
  );
  switch (refusal.errorName) {
    case 'roomFull':
    case 'roomNotFound':
      return message(
        refusal.errorName === 'roomFull' ? 'room.fullHelp' : 'room.notFoundHelp',
        <>
          <ToMain />
          {toSeat('room.findAnother')}
        </>,
      );
    case 'seatedElsewhere':
      return message(
        'room.elsewhereHelp',
        <>
          <Button onClick={() => setIsEntering({ here: true })}>{t('room.moveHere')}</Button>
          {toSeat('room.goToMine')}
        </>,
      );
    case 'notYourself':
    case 'userNotFound':
    case 'unauthorized':
    case 'sessionEnded':
      return <LogInAgain />;
    default:
      return message(
        null,
        <>
          <ToMain />
          <Button variant="primary" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        </>,
      );
  }
}
