import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { BoardArea } from '../../features/board/board-area.tsx';
import { BoardRoom } from '../../features/board/board-room.ts';
import { boardTexts } from '../../features/board/board-texts.ts';
import { BoardTools } from '../../features/board/board-tools.tsx';
import type { BoardView } from '../../features/board/board-view.ts';
import type { SurfaceHandle } from '../../features/board/excalidraw/surface.tsx';
import { useStanding } from '../../features/sanctions/own-sanctions.ts';
import { SanctionNote } from '../../features/sanctions/sanction-note.tsx';
import type { RoomLive } from '../../room/room-live.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useMemberField } from './learner-name.tsx';
import { SidePanel } from './side-panel.tsx';

interface BoardPanelProps {
  readonly live: Pick<RoomLive, 'userId' | 'store' | 'openBoard'>;
  readonly onClose: () => void;
}

/** The room's whiteboard beside the tiles, or beside one column of them; on narrow screens over them. */
export function BoardPanel({ live, onClose }: BoardPanelProps) {
  const { t } = useTranslation(boardTexts);
  const [isWide, setIsWide] = useState(false);
  const [isList, setIsList] = useState(false);
  const surfaceRef = useRef<SurfaceHandle>(null);
  const view = useBoardView(live);
  const onEscape = () => (isWide ? setIsWide(false) : onClose());
  return (
    <SidePanel
      title={t('board.title')}
      size={isWide ? 'wide' : 'board'}
      actions={
        <BoardTools
          {...{ isList, isWide, view }}
          surface={() => surfaceRef.current}
          onToggleList={() => setIsList(!isList)}
          onToggleWide={() => setIsWide(!isWide)}
        />
      }
      onEscape={onEscape}
      onClose={onClose}
    >
      {view && (
        <BoardArea view={view} isList={isList} surfaceRef={surfaceRef} onEscape={onEscape} />
      )}
    </SidePanel>
  );
}

/** The board's data source; null while there is no connection. */
function useBoardView(live: BoardPanelProps['live']): BoardView | null {
  const { userId } = live;
  const board = useStore(live.store, (room) => room.board);
  const mute = useStanding(userId, 'muteChat');
  const blockedIds = useStore(live.store, (room) => room.blocked);
  const names = useMemberField(live.store, 'nickname');
  const replacedBy = useStore(live.store, ({ about, members }) => {
    if (about) return about.hostId === userId ? 'self' : 'host';
    return members?.length === 1 ? 'self' : 'vote';
  });
  const isConnected = useStore(live.store, (room) => room.chat !== null);
  useEffect(() => (isConnected ? live.openBoard(BoardRoom) : undefined), [live, isConnected]);
  return useMemo(
    () =>
      board && {
        board,
        names,
        blockedIds,
        replacedBy,
        muteNote: mute && <SanctionNote userId={userId} sanction={mute} />,
      },
    [board, names, blockedIds, replacedBy, mute, userId],
  );
}
