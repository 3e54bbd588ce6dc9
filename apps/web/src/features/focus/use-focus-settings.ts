import { type FocusSettings, getFocusSettings } from '@mogakgong/contract';
import { call, type Loaded, useLoaded } from '../../shared/api/index.ts';
import { useFocusText } from '../../shared/i18n/focus-texts.ts';

/** How the learner's days are counted, and whether focus begins on entering. */
export function useFocusSettings(): Loaded<FocusSettings> {
  const text = useFocusText();
  return useLoaded((signal) =>
    call(getFocusSettings, {}, { signal, fallback: text('settings.loadFailed') }),
  );
}
