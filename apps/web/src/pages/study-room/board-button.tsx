import { BoardIcon } from '../../features/board/board-icons.ts';
import { boardTexts } from '../../features/board/board-texts.ts';
import { KeyHint, useShortcuts } from '../../features/focus/shortcuts.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import type { usePanels } from './room-bar.tsx';

/** Opens the room's whiteboard, by a press or a key. */
export function BoardButton({ panels }: { readonly panels: ReturnType<typeof usePanels> }) {
  const { t } = useTranslation(boardTexts);
  const toggle = () => panels.toggle('board');
  useShortcuts({ KeyW: toggle });
  return (
    <Button
      ref={panels.toggleRefs.board}
      variant="quiet"
      size="small"
      icon={BoardIcon}
      aria-expanded={panels.open === 'board'}
      aria-keyshortcuts="W"
      onClick={toggle}
    >
      <span className="max-[72rem]:sr-only">{t('board.button')}</span>
      <KeyHint name="W" />
    </Button>
  );
}
