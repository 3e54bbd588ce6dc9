import type { RoomSnapshot, RoomState } from '../../features/media/room.ts';
import { type TextKey, useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { NoticeBar } from './notice-bar.tsx';

function textOf(state: RoomState): TextKey | null {
  switch (state.kind) {
    case 'connecting':
      return 'room.connecting';
    case 'reconnecting':
      return 'room.reconnecting';
    case 'waiting':
      return state.cause === 'offline' ? 'room.offline' : 'room.serverDown';
    default:
      return null;
  }
}

interface ConnectionNoticeProps {
  readonly snapshot: RoomSnapshot;
  /** Lets blocked pictures play. */
  readonly onPlay: () => void;
}

/** Says what the connection is doing while it is not simply there. */
export function ConnectionNotice({ snapshot, onPlay }: ConnectionNoticeProps) {
  const { t } = useTranslation();
  const key = textOf(snapshot.state);
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
