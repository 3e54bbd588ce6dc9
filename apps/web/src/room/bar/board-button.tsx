import Presentation from 'lucide-react/icons/presentation';
import { KeyHint, useShortcuts } from '../../features/focus/shortcuts.tsx';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { PanelButton, type Panels } from '../panels/panels.tsx';

/** Opens the room's whiteboard, by a press or a key. */
export function BoardButton({ panels }: { readonly panels: Panels }) {
  const { t } = useTranslation(roomTexts);
  const toggle = () => panels.toggle('board');
  useShortcuts({ KeyW: toggle });
  return (
    <PanelButton panels={panels} panel="board" icon={Presentation} aria-keyshortcuts="W">
      <span className="max-dock:sr-only @max-[78rem]/bar:sr-only">{t('board.button')}</span>
      <KeyHint name="W" />
    </PanelButton>
  );
}
