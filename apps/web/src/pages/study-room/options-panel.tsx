import { Suspense } from 'react';
import { AmbientSection } from '../../features/ambient/ambient-section.tsx';
import { KeysSection } from '../../features/focus/shortcuts-help.tsx';
import { BlurSection } from '../../features/media/blur/blur-choice.tsx';
import { DataSection } from '../../features/media/data-section.tsx';
import { ScreenSection } from '../../features/rooms/screen-section.tsx';
import { MiniRoomSection } from '../../room/mini-room/mini-room-section.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { SidePanel } from './side-panel.tsx';

/** The learner's own settings in the room, one section for each topic. */
export function OptionsPanel({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <SidePanel title={t('room.options')} onClose={onClose}>
      <div className="grid gap-7 px-5 pt-1 pb-8">
        <Suspense>
          <ScreenSection />
          <DataSection />
        </Suspense>
        <Suspense>
          <BlurSection />
          <AmbientSection />
          <MiniRoomSection />
        </Suspense>
        <Suspense>
          <KeysSection />
        </Suspense>
      </div>
    </SidePanel>
  );
}
