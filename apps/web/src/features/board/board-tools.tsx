import { Download, Keyboard } from 'lucide-react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { IconButton } from '../../shared/ui/button.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { saveFile } from '../../shared/ui/save-file.ts';
import { DrawIcon, ListIcon, MoreIcon, NarrowIcon, WidenIcon } from './board-icons.ts';
import { boardTexts } from './board-texts.ts';
import type { ExportKind } from './excalidraw/export.ts';
import type { SurfaceHandle } from './excalidraw/surface.tsx';

const FILE_ENDINGS = { png: 'png', svg: 'svg', json: 'excalidraw' } as const;

interface BoardToolsProps {
  readonly isList: boolean;
  readonly isWide: boolean;
  readonly onToggleList: () => void;
  readonly onToggleWide: () => void;
  /** Null until the drawing is there. */
  readonly surface: () => SurfaceHandle | null;
}

/** What stands in the heading of the board: its two views, its size, and its menu. */
export function BoardTools(props: BoardToolsProps) {
  const { isList, isWide, surface } = props;
  const { t } = useTranslation(boardTexts);
  const save = async (kind: ExportKind) => {
    try {
      const file = await surface()?.exportAs(kind);
      const day = new Date().toLocaleDateString('sv');
      if (file) saveFile(`${t('board.fileName')}-${day}.${FILE_ENDINGS[kind]}`, file);
      else notify.toast(t('board.nothingToSave'));
    } catch {
      notify.toast(t('board.saveFailed'), 'bad');
    }
  };
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
        ]}
      />
      <IconButton
        icon={isWide ? NarrowIcon : WidenIcon}
        label={t(isWide ? 'board.narrow' : 'board.widen')}
        className="max-lg:hidden"
        onClick={props.onToggleWide}
      />
    </>
  );
}
