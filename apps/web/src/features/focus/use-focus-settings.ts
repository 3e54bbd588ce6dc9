import { type FocusSettings, getFocusSettings, type UserId } from '@mogakgong/contract';
import { call, type Loaded } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';

export const settingsKey = (userId: UserId) => ['focusSettings', userId] as const;

/** How the learner's days are counted, and whether focus starts on entering. */
export function useFocusSettings(userId: UserId): Loaded<FocusSettings> {
  const { t } = useTranslation(roomTexts);
  return useLoaded(settingsKey(userId), (signal) =>
    call(getFocusSettings, {}, { signal, fallback: t('settings.loadFailed') }),
  );
}
