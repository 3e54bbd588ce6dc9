import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { CameraHelp, camera } from '../../features/media/index.ts';
import type { RoomLive } from '../../room/room-live.ts';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { type TextKey, useTranslation } from '../../shared/i18n/texts.ts';
import { useIsOnline } from '../../shared/lib/use-is-online.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { outageOf } from './outage.ts';
import { CAMERA_NOTE_ID } from './room-bar.tsx';

interface RoomNoticesProps {
  readonly live: RoomLive;
  /** Why one's camera cannot be turned on. */
  readonly cameraNote?: ReactNode;
}

/** What is wrong while the room goes on: with the connection, the pictures, one's own camera. */
export function RoomNotices({ live, cameraNote }: RoomNoticesProps) {
  const { t } = useTranslation(focusTexts);
  const isOnline = useIsOnline();
  const state = useStore(live.store, ({ media }) => media.state);
  const isPlaybackBlocked = useStore(live.store, ({ media }) => media.isPlaybackBlocked);
  const ownCamera = useStore(live.store, (room) => room.camera);
  const isServerLost = useStore(live.store, (room) => room.isServerLost);
  const outage = outageOf({ isOnline, state, isServerLost });
  return (
    <>
      <div role="status" data-room-state={state.kind}>
        {outage && (
          <Notice>
            <p className="flex items-center gap-3 font-semibold">
              <Spinner />
              {t(outage.title)}
            </p>
            {outage.help && <p className="mt-1 text-ink-soft">{t(outage.help)}</p>}
          </Notice>
        )}
      </div>
      {isPlaybackBlocked && (
        <Notice action={{ label: 'room.play', onClick: live.startPlayback }}>
          {t('room.playbackBlocked')}
        </Notice>
      )}
      <div role="status" id={CAMERA_NOTE_ID}>
        {cameraNote && <Notice isBad>{cameraNote}</Notice>}
      </div>
      <div role="status">
        {ownCamera.kind === 'failed' && (
          <Notice isBad action={{ label: 'common.retry', onClick: () => void camera.open() }}>
            <CameraHelp problem={ownCamera.problem} withChoice />
          </Notice>
        )}
      </div>
    </>
  );
}

interface NoticeProps {
  readonly isBad?: boolean;
  readonly children: ReactNode;
  readonly action?: { readonly label: TextKey; readonly onClick: () => void };
}

/** A strip above the tiles. */
function Notice({ isBad = false, children, action }: NoticeProps) {
  const { t } = useTranslation();
  return (
    <div
      className={classNames(
        'mx-4 mb-2.5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-medium px-4 py-3 text-small sm:mx-6',
        isBad ? 'bg-danger-wash' : 'bg-lamp-wash',
      )}
    >
      <div className="min-w-0 flex-1">{children}</div>
      {action && (
        <Button size="small" onClick={action.onClick}>
          {t(action.label)}
        </Button>
      )}
    </div>
  );
}
