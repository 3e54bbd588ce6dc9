import { useStore } from 'zustand';
import type { RoomState } from '../../features/media/room.ts';
import type { RoomLive } from '../../room/room-live.ts';
import { type TextKey, useTranslation } from '../../shared/i18n/texts.ts';
import { useIsOnline } from '../../shared/lib/use-is-online.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { NoticeBar } from './notice-bar.tsx';

const texts: Partial<Record<RoomState['kind'], TextKey>> = {
  connecting: 'room.connecting',
  reconnecting: 'room.reconnecting',
  waiting: 'room.serverDown',
};

/** Says what the media connection is doing while it is not simply there. */
export function ConnectionNotice({ live }: { readonly live: RoomLive }) {
  const { t } = useTranslation();
  const isOnline = useIsOnline();
  const { state, isPlaybackBlocked } = useStore(live.store, ({ media }) => media);
  const key = isOnline ? texts[state.kind] : 'room.offline';
  return (
    <>
      <div role="status" data-room-state={state.kind}>
        {key && (
          <NoticeBar tone="waiting">
            <p className="flex items-center gap-3 font-semibold">
              <Spinner />
              {t(key)}
            </p>
          </NoticeBar>
        )}
      </div>
      {isPlaybackBlocked && (
        <NoticeBar
          tone="waiting"
          action={
            <Button size="small" onClick={live.startPlayback}>
              {t('room.play')}
            </Button>
          }
        >
          {t('room.playbackBlocked')}
        </NoticeBar>
      )}
    </>
  );
}
