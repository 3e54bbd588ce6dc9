import type { Translate } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { saveFile } from '../../shared/ui/save-file.ts';
import type { ExportKind } from './excalidraw/board-file.ts';
import type { SurfaceHandle } from './excalidraw/surface.tsx';

const FILE_ENDINGS = { png: 'png', svg: 'svg', json: 'excalidraw' } as const;

type SavingKey = 'board.fileName' | 'board.nothingToSave' | 'board.saveFailed';

/** Hands the drawing to the browser as a file; says so where there is nothing, or it failed. */
export async function saveBoard(
  t: Translate<SavingKey>,
  kind: ExportKind,
  surface: Pick<SurfaceHandle, 'exportAs'> | null,
): Promise<void> {
  try {
    const file = await surface?.exportAs(kind);
    const day = new Date().toLocaleDateString('sv');
    if (file) saveFile(`${t('board.fileName')}-${day}.${FILE_ENDINGS[kind]}`, file);
    else notify.toast(t('board.nothingToSave'));
  } catch {
    notify.toast(t('board.saveFailed'), 'bad');
  }
}
