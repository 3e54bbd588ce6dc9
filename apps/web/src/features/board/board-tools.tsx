import type { RoomId } from '@mogakgong/contract';
import { Download, Trash2 } from 'lucide-react';
import Ellipsis from 'lucide-react/icons/ellipsis';
import History from 'lucide-react/icons/history';
import Keyboard from 'lucide-react/icons/keyboard';
import List from 'lucide-react/icons/list';
import Maximize2 from 'lucide-react/icons/maximize-2';
import MenuIcon from 'lucide-react/icons/menu';
import Minimize2 from 'lucide-react/icons/minimize-2';
import PenLine from 'lucide-react/icons/pen-line';
import { type BoardText, boardTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { IconButton } from '../../shared/ui/button.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import type { MenuEntry } from '../../shared/ui/menu-list.tsx';
import { bringBack, clearBoard } from './board-clearing.ts';
import type { BoardView } from './board-view.ts';
import type { ExportKind } from './excalidraw/board-file.ts';
import type { SurfaceHandle } from './excalidraw/surface.tsx';
import { saveBoard } from './save-board.ts';

interface BoardToolsProps {
  readonly isList: boolean;
  readonly isWide: boolean;
  readonly onToggleList: () => void;
  readonly onToggleWide: () => void;
  /** Null while there is no connection. */
  readonly view: BoardView | null;
  /** Null until the drawing is there. */
  readonly surface: () => SurfaceHandle | null;
}

/** The heading of the board: its two views, its size, and its menu. */
export function BoardTools(props: BoardToolsProps) {
  const { isList, isWide } = props;
  const { t } = useTranslation(boardTexts);
  return (
    <>
      <IconButton
        icon={isList ? PenLine : List}
        label={t(isList ? 'board.draw' : 'board.list')}
        onClick={props.onToggleList}
      />
      <Menu
        label={t('board.more')}
        trigger={<MenuIcon size={20} aria-hidden="true" />}
        triggerClassName="grid size-11 place-items-center rounded-full text-ink-soft hover:bg-raised hover:text-ink"
        entries={entriesOf(t, props)}
      />
      <IconButton
        icon={isWide ? Minimize2 : Maximize2}
        label={t(isWide ? 'board.narrow' : 'board.widen')}
        className="max-lg:hidden"
        onClick={props.onToggleWide}
      />
    </>
  );
}

/** The entries of the menu; what is seldom needed is behind the last. */
function entriesOf(
  t: BoardText,
  { isList, view, surface }: Pick<BoardToolsProps, 'isList' | 'view' | 'surface'>,
): MenuEntry[] {
  const save = (kind: ExportKind, label: string): MenuEntry => ({
    ...{ key: kind, label, icon: Download },
    onSelect: () => void saveBoard(t, kind, surface()),
  });
  const keys: MenuEntry = {
    ...{ key: 'keys', label: t('board.keys'), icon: Keyboard },
    onSelect: () => surface()?.showKeys(),
  };
  const others = [save('svg', t('board.saveSvg')), save('json', t('board.saveJson'))];
  return [
    save('png', t('board.savePng')),
    ...(view?.mayClear ? clearingEntries(t, view.board.roomId) : []),
    {
      ...{ key: 'others', label: t('board.others'), icon: Ellipsis },
      more: isList ? others : [...others, keys],
    },
  ];
}

const clearingEntries = (t: BoardText, roomId: RoomId): MenuEntry[] => [
  {
    ...{ key: 'bringBack', label: t('board.bringBack'), icon: History },
    onSelect: () => void bringBack(roomId),
  },
  {
    ...{ key: 'clear', label: t('board.clear'), icon: Trash2 },
    onSelect: () => void clearBoard(roomId),
  },
];
