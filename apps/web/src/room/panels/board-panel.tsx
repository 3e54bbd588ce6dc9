import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { BoardArea } from '../../features/board/board-area.tsx';
import { mayClear } from '../../features/board/board-clearing.ts';
import { BoardRoom } from '../../features/board/board-room.ts';
import { BoardTools } from '../../features/board/board-tools.tsx';
import type { BoardView } from '../../features/board/board-view.ts';
import type { SurfaceHandle } from '../../features/board/excalidraw/surface.tsx';
import { useSanctionInForce } from '../../features/sanctions/own-sanctions.ts';
import { SanctionNote } from '../../features/sanctions/sanction-note.tsx';
import { boardTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import type { RoomLive } from '../live/room-live.ts';
import { useMemberField } from '../tiles/learner-name.tsx';
import type { Panels } from './panels.tsx';
import { SidePanel } from './side-panel.tsx';

interface BoardPanelProps {
  readonly live: Pick<RoomLive, 'userId' | 'store' | 'openBoard'>;
  readonly panels: Panels;
}

/** The room's whiteboard beside the tiles, or beside one column of them; on narrow screens over them. */
export function BoardPanel({ live, panels }: BoardPanelProps) {
  const { t } = useTranslation(boardTexts);
  const [isList, setIsList] = useState(false);
  const surfaceRef = useRef<SurfaceHandle>(null);
  const view = useBoardView(live);
  return (
    <SidePanel
      title={t('board.title')}
      actions={
        <BoardTools
          {...{ isList, view }}
          isWide={panels.isWide}
          surface={() => surfaceRef.current}
          onToggleList={() => setIsList(!isList)}
          onToggleWide={panels.toggleWide}
        />
      }
      onClose={panels.close}
    >
      {view && (
        <BoardArea view={view} isList={isList} surfaceRef={surfaceRef} onEscape={panels.stepBack} />
      )}
    </SidePanel>
  );
}

/** The board's data source; null while there is no connection. */
function useBoardView(live: BoardPanelProps['live']): BoardView | null {
  const { userId } = live;
  const board = useStore(live.store, (room) => room.board);
  const mute = useSanctionInForce(userId, 'muteChat');
  const blockedIds = useStore(live.store, (room) => room.blocked);
  const names = useMemberField(live.store, 'nickname');
  const mayClearHere = useStore(live.store, mayClear);
  const isConnected = useStore(live.store, (room) => room.chat !== null);
  useEffect(() => (isConnected ? live.openBoard(BoardRoom) : undefined), [live, isConnected]);
  return useMemo(
    () =>
      board && {
        board,
        names,
        blockedIds,
        mayClear: mayClearHere && !mute,
        muteNote: mute && <SanctionNote userId={userId} sanction={mute} />,
      },
    [board, names, blockedIds, mayClearHere, mute, userId],
  );
}
