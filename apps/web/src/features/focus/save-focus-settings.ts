import { type FocusSettings, putFocusSettings, type UserId } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { loadToday } from '../../shared/today/today.ts';
import { settingsKey } from './use-focus-settings.ts';

/**
 * Saves how the learner's days are counted, and loads today again. Throws `ApiError`.
 * @param fallback the error where the server sends none.
 */
export async function saveFocusSettings(
  userId: UserId,
  body: FocusSettings,
  fallback: string,
): Promise<void> {
  const saved = await call(putFocusSettings, { body }, { fallback });
  queryClient.setQueryData(settingsKey(userId), saved);
  void loadToday(userId);
}
