import { Download, Trash2 } from 'lucide-react';
import Keyboard from 'lucide-react/icons/keyboard';
import { useState } from 'react';
import { type Translate, useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { IconButton } from '../../shared/ui/button.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import type { MenuEntry } from '../../shared/ui/menu-list.tsx';
import {
  CopiesIcon,
  CopyIcon,
  DrawIcon,
  HistoryIcon,
  ListIcon,
  MoreIcon,
  NarrowIcon,
  WidenIcon,
} from './board-icons.ts';
import { clearBoard, keepCopy } from './board-replacement.ts';
import { boardTexts } from './board-texts.ts';
import type { BoardView } from './board-view.ts';
import type { ExportKind } from './excalidraw/export.ts';
import type { SurfaceHandle } from './excalidraw/surface.tsx';
import { saveBoard } from './save-board.ts';
import { VersionsDialog } from './versions-dialog.tsx';

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

/** What stands in the heading of the board: its two views, its size, and its menu. */
export function BoardTools(props: BoardToolsProps) {
  const { isList, isWide, view, surface } = props;
  const [isShowingVersions, setIsShowingVersions] = useState(false);
  const { t } = useTranslation(boardTexts);
  const save = (kind: ExportKind) => void saveBoard(t, kind, surface());
  return (
    <>
      <IconButton
        icon={isList ? DrawIcon : ListIcon}
        label={t(isList ? 'board.draw' : 'board.list')}
        onClick={props.onToggleList}
      />
      <Menu
        label={t('board.more')}
        trigger={<MoreIcon size={20} aria-hidden="true" />}
        triggerClassName="grid size-11 place-items-center rounded-full text-ink-soft hover:bg-raised hover:text-ink"
        entries={[
          { key: 'png', label: t('board.savePng'), icon: Download, onSelect: () => save('png') },
          { key: 'svg', label: t('board.saveSvg'), icon: Download, onSelect: () => save('svg') },
          { key: 'json', label: t('board.saveJson'), icon: Download, onSelect: () => save('json') },
          ...(isList
            ? []
            : [
                {
                  key: 'keys',
                  label: t('board.keys'),
                  icon: Keyboard,
                  onSelect: () => surface()?.showKeys(),
                },
              ]),
          ...(view ? keepingEntries(t, view, () => setIsShowingVersions(true)) : []),
        ]}
      />
      <IconButton
        icon={isWide ? NarrowIcon : WidenIcon}
        label={t(isWide ? 'board.narrow' : 'board.widen')}
        className="max-lg:hidden"
        onClick={props.onToggleWide}
      />
      {view && isShowingVersions && (
        <VersionsDialog view={view} onClose={() => setIsShowingVersions(false)} />
      )}
    </>
  );
}

type KeepingKey = 'board.keepCopy' | 'board.copies' | 'board.versions' | 'board.clear';

/** Keeping copies, and what only those may do who decide about the board. */
function keepingEntries(
  t: Translate<KeepingKey>,
  view: BoardView,
  showVersions: () => void,
): MenuEntry[] {
  const forAll: MenuEntry[] = [
    {
      key: 'copy',
      label: t('board.keepCopy'),
      icon: CopyIcon,
      onSelect: () => void keepCopy(view),
    },
    { key: 'copies', label: t('board.copies'), icon: CopiesIcon, href: paths.boards },
  ];
  if (view.replacedBy === 'host') return forAll;
  return [
    ...forAll,
    { key: 'versions', label: t('board.versions'), icon: HistoryIcon, onSelect: showVersions },
    { key: 'clear', label: t('board.clear'), icon: Trash2, onSelect: () => void clearBoard(view) },
  ];
}
