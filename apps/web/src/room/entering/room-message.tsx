import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { useSession } from '../../features/auth/session.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Lamp, type LampLight } from '../../shared/ui/lamp.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { TakesLong } from '../../shared/ui/waiting.tsx';
import { useCurrentRoom } from '../live/current-room.ts';
import { leaveRoomOrShowError, resumeRoom } from '../live/room-actions.ts';
import { RoomFrame } from '../room-frame.tsx';

interface RoomMessageProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  readonly light?: LampLight;
  /** Work is in progress; if it takes long this is stated, with alternatives. */
  readonly isBusy?: boolean;
  /** An alternative to reloading the page. */
  readonly wayOut?: ReactNode;
}

/** Replaces the room while there is none to show: its state, and how to continue. */
export function RoomMessage({
  title,
  text,
  actions,
  light = 'off',
  isBusy,
  wayOut,
}: RoomMessageProps) {
  return (
    <div className="m-auto grid w-full max-w-lg justify-items-center gap-4 px-5 py-12 text-center">
      <Lamp light={light} size={88} />
      <div role="status" className="grid justify-items-center gap-3">
        <h1 className="flex items-center gap-3 text-title font-bold">
          {isBusy && <Spinner />}
          {title}
        </h1>
        {text && <div className="text-pretty text-ink-soft">{text}</div>}
      </div>
      {isBusy && <TakesLong>{wayOut}</TakesLong>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  );
}

/** Shown while the room of the learner's seat opens, or when it could not be opened. */
export function Entering() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const userId = useOwnUserId();
  const name = useSession((session) => session.user?.nickname ?? '');
  const hasFailed = useCurrentRoom((room) => room.hasResumeFailed);
  const leave = (
    <Button size="small" onClick={() => leaveRoomOrShowError(() => navigate(paths.main))}>
      {t('room.leave')}
    </Button>
  );
  if (!hasFailed || userId === null) {
    return (
      <RoomFrame>
        <RoomMessage title={t('room.entering')} light="low" isBusy wayOut={leave} />
      </RoomFrame>
    );
  }
  const actions = (
    <>
      <Button size="small" variant="primary" onClick={() => void resumeRoom(userId, name)}>
        {t('common.retry')}
      </Button>
      <Button size="small" onClick={() => location.reload()}>
        {t('common.reload')}
      </Button>
      {leave}
    </>
  );
  return (
    <RoomFrame>
      <RoomMessage title={t('room.enterFailed')} text={t('common.newVersion')} actions={actions} />
    </RoomFrame>
  );
}
