import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { camera } from '../../features/media/camera.ts';
import { CameraHelp } from '../../features/media/camera-help.tsx';
import { isBlurProblem } from '../../features/media/camera-problem.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { type TextKey, useTranslation } from '../../shared/i18n/texts.ts';
import { isWaiting } from '../../shared/today/own-clock.ts';
import { useOwnClock } from '../../shared/today/today.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { CAMERA_NOTE_ID } from '../bar/room-bar.tsx';
import { useOutage } from '../live/outage.ts';
import { turnCamera } from '../live/room-actions.ts';
import type { RoomLive } from '../live/room-live.ts';
import { ConnectionCheckLink } from './connection-check-link.tsx';

interface RoomNoticesProps {
  readonly live: RoomLive;
  /** Why the own camera cannot be turned on. */
  readonly cameraNote?: ReactNode;
}

interface Action {
  readonly label: TextKey;
  readonly onClick: () => void;
}

const RETRY: Action = { label: 'common.retry', onClick: () => void camera.open() };
/** Dismisses the notice: the learner continues without a camera. */
const LEAVE_OFF: Action = { label: 'common.close', onClick: () => turnCamera(false) };

/** Problems with pictures and the own camera while the room continues: a strip above the tiles. */
export function RoomNotices({ live, cameraNote }: RoomNoticesProps) {
  const { t } = useTranslation(roomTexts);
  const isPlaybackBlocked = useStore(live.store, ({ media }) => media.isPlaybackBlocked);
  const ownCamera = useStore(live.store, (room) => room.camera);
  return (
    <div data-live>
      {isPlaybackBlocked && (
        <Notice actions={[{ label: 'room.play', onClick: live.startPlayback }]}>
          {t('room.playbackBlocked')}
        </Notice>
      )}
      <div role="status" id={CAMERA_NOTE_ID}>
        {cameraNote && <Notice isBad>{cameraNote}</Notice>}
      </div>
      <div role="status">
        {ownCamera.kind === 'failed' && (
          <Notice
            isBad
            actions={isBlurProblem(ownCamera.problem) ? [LEAVE_OFF] : [RETRY, LEAVE_OFF]}
          >
            <CameraHelp problem={ownCamera.problem} withChoice />
          </Notice>
        )}
      </div>
    </div>
  );
}

/** A lost connection: over the tiles, which do not move when it is lost or back, and above a panel over them. */
export function RoomOutage({ live }: Pick<RoomNoticesProps, 'live'>) {
  const { t } = useTranslation(roomTexts);
  const outage = useOutage(live);
  const state = useStore(live.store, ({ media }) => media.state);
  const isPressWaiting = useOwnClock(isWaiting);
  return (
    <div
      role="status"
      data-room-state={state.kind}
      data-outage={outage && !outage.isPassing ? '' : undefined}
      className="room-outage"
    >
      {(outage || isPressWaiting) && (
        <Notice>
          <p className="flex items-center gap-3 font-semibold">
            <Spinner />
            {t(outage?.title ?? 'room.saving')}
          </p>
          {outage?.help && <p className="mt-1 text-ink-soft">{t(outage.help)}</p>}
          {isPressWaiting && <p className="mt-1 text-ink-soft">{t('room.pressKept')}</p>}
          {outage?.isCheckable && <ConnectionCheckLink />}
        </Notice>
      )}
    </div>
  );
}

interface NoticeProps {
  readonly isBad?: boolean;
  readonly children: ReactNode;
  readonly actions?: readonly Action[];
}

/** A strip above the tiles. */
function Notice({ isBad = false, children, actions = [] }: NoticeProps) {
  const { t } = useTranslation();
  return (
    <div
      className={classNames(
        'mx-4 mb-2.5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-medium px-4 py-3 text-small sm:mx-6',
        isBad ? 'bg-danger-wash' : 'bg-lamp-wash',
      )}
    >
      <div className="min-w-0 grow basis-64">{children}</div>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {actions.map(({ label, onClick }) => (
          <Button key={label} size="small" onClick={onClick}>
            {t(label)}
          </Button>
        ))}
      </div>
    </div>
  );
}
