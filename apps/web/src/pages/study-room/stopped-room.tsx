import { CameraHelp } from '../../features/media/index.ts';
import type { Refusal, RoomSession, RoomState } from '../../features/media/room.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { LogInAgain } from './log-in-again.tsx';
import { RoomMessage } from './room-message.tsx';
import type { RoomMoves } from './use-room-moves.ts';

type StoppedState = Extract<
  RoomState,
  { kind: 'cameraNeeded' | 'refused' | 'replaced' | 'removed' }
>;

interface StoppedRoomProps {
  readonly state: StoppedState;
  readonly session: RoomSession;
  readonly moves: RoomMoves;
}

/** Why one is not in the room, and every way on from there. */
export function StoppedRoom({ state, session, moves }: StoppedRoomProps) {
  const { t } = useTranslation();
  const toMain = <LinkButton href={paths.main}>{t('room.toMain')}</LinkButton>;
  const enterButton = (label: string) => (
    <>
      {toMain}
      <Button variant="primary" onClick={() => session.enter()}>
        {label}
      </Button>
    </>
  );
  switch (state.kind) {
    case 'cameraNeeded':
      return (
        <RoomMessage
          title={t('camera.unavailable')}
          text={<CameraHelp problem={state.problem} />}
          actions={enterButton(t('common.retry'))}
        />
      );
    case 'replaced':
      return (
        <RoomMessage
          title={t('room.replaced')}
          text={t('room.replacedHelp')}
          actions={enterButton(t('room.useHere'))}
        />
      );
    case 'removed':
      return (
        <RoomMessage
          title={t('room.removed')}
          text={t('room.removedHelp')}
          actions={enterButton(t('room.enterAgain'))}
        />
      );
    case 'refused':
      return <RefusedRoom refusal={state.refusal} session={session} moves={moves} />;
  }
}

interface RefusedRoomProps {
  readonly refusal: Refusal;
  readonly session: RoomSession;
  readonly moves: RoomMoves;
}

function RefusedRoom({ refusal, session, moves }: RefusedRoomProps) {
  const { t } = useTranslation();
  const moveButton = (label: string, onClick: () => void, variant: 'primary' | 'secondary') => (
    <Button variant={variant} loading={moves.isMoving} onClick={onClick}>
      {label}
    </Button>
  );
  const toMain = <LinkButton href={paths.main}>{t('room.toMain')}</LinkButton>;
  const anotherRoom = (
    <>
      {toMain}
      {moveButton(t('room.findAnother'), moves.goToSeat, 'primary')}
    </>
  );
  switch (refusal.errorName) {
    case 'roomFull':
      return (
        <RoomMessage title={refusal.message} text={t('room.fullHelp')} actions={anotherRoom} />
      );
    case 'roomNotFound':
      return (
        <RoomMessage title={refusal.message} text={t('room.notFoundHelp')} actions={anotherRoom} />
      );
    case 'seatedElsewhere':
      return (
        <RoomMessage
          title={refusal.message}
          text={t('room.elsewhereHelp')}
          actions={
            <>
              {moveButton(t('room.moveHere'), moves.moveHere, 'secondary')}
              {moveButton(t('room.goToMine'), moves.goToSeat, 'primary')}
            </>
          }
        />
      );
    case 'notYourself':
    case 'userNotFound':
    case 'unauthorized':
    case 'sessionEnded':
      return <LogInAgain />;
    default:
      return (
        <RoomMessage
          title={refusal.message}
          actions={
            <>
              {toMain}
              <Button variant="primary" onClick={() => session.enter()}>
                {t('common.retry')}
              </Button>
            </>
          }
        />
      );
  }
}
