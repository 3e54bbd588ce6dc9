import { AmbientSection } from '../../features/ambient/ambient-section.tsx';
import { BlurSection } from '../../features/media/blur/blur-choice.tsx';
import { SavingNote } from '../../features/media/saving-choice.tsx';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { MiniRoomSection } from '../mini-room/mini-room-section.tsx';
import { FullScreenSection, ScreenSection } from './screen-section.tsx';
import { SidePanel } from './side-panel.tsx';

/** The learner's own settings in the room: those of every day, and the others folded. */
export function OptionsPanel({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(roomTexts);
  return (
    <SidePanel title={t('room.options')} onClose={onClose}>
      <div className="grid gap-7 px-5 pt-1 pb-8">
        <BlurSection />
        <AmbientSection />
        <FullScreenSection />
        <SavingNote />
        <details>
          <summary className="min-h-11 cursor-pointer py-2.5 font-bold text-small">
            {t('screen.more')}
          </summary>
          <div className="grid gap-7 pt-3">
            <MiniRoomSection />
            <ScreenSection />
          </div>
        </details>
      </div>
    </SidePanel>
  );
}
