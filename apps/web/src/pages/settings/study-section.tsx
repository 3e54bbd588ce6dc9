import type { UserId } from '@mogakgong/contract';
import { FocusSettingsSection } from '../../features/focus/focus-settings-section.tsx';
import { useFocusSettings } from '../../features/focus/use-focus-settings.ts';
import { ExportPanel } from '../../features/statistics/export-panel.tsx';
import { useToday } from '../../shared/today/today.ts';

/** How the learner's days are counted, whether focus starts on entering, and the CSV export. */
export function StudySection({ userId }: { readonly userId: UserId }) {
  return (
    <>
      <FocusSettingsSection userId={userId} settings={useFocusSettings(userId)} />
      <ExportPanel today={useToday(userId)} />
    </>
  );
}
