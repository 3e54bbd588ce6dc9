import type { UserId } from '@mogakgong/contract';
import { FocusSettingsSection } from '../../features/focus/focus-settings-section.tsx';
import { useFocusSettings } from '../../features/focus/use-focus-settings.ts';

/** How the learner's days are counted, and whether focus starts on entering. */
export function StudySection({ userId }: { readonly userId: UserId }) {
  return <FocusSettingsSection userId={userId} settings={useFocusSettings(userId)} />;
}
