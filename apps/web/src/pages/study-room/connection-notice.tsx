import type { RoomSnapshot, RoomState } from '../../features/media/room.ts';
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

interface ConnectionNoticeProps {
  readonly snapshot: RoomSnapshot;
  /** Lets blocked pictures play. */
  readonly onPlay: () => void;
}

/** Says what the connection is doing while it is not simply there. */
export function ConnectionNotice({ snapshot, onPlay }: ConnectionNoticeProps) {
  const { t } = useTranslation();
  const isOnline = useIsOnline();
  const key = isOnline ? texts[snapshot.state.kind] : 'room.offline';
  return (
    <>
      <div role="status" data-room-state={snapshot.state.kind}>
        {key && (
          <NoticeBar tone="waiting">
            <p className="flex items-center gap-3 font-semibold">
              <Spinner />
              {t(key)}
            </p>
          </NoticeBar>
        )}
      </div>
      {snapshot.isPlaybackBlocked && (
        <NoticeBar
          tone="waiting"
          action={
            <Button size="small" onClick={onPlay}>
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
