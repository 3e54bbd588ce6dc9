import {
  equipTitle,
  getOwnTitles,
  type NO_TITLE_KEY,
  type OwnTitle,
  type UserId,
} from '@mogakgong/contract';
import { useEffect } from 'react';
import { call, type Loaded, useLoaded } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { type TitlesText, useTitlesText } from './titles-texts.ts';
import { onWornElsewhere, setWornTitle } from './worn-title.ts';

/** Every title, and how far the learner is on the way to it. */
export function useOwnTitles(userId: UserId): Loaded<readonly OwnTitle[]> {
  const t = useTitlesText();
  const { language } = useTranslation();
  const titles = useLoaded(
    (signal) => call(getOwnTitles, { params: { userId } }, { signal, fallback: t('list.failed') }),
    { key: `${userId} ${language}` },
  );
  const { reload } = titles;
  useEffect(() => onWornElsewhere(userId, reload), [userId, reload]);
  return titles;
}

/**
 * Wears a title, or none, here and for everybody who sees the learner.
 * Answers the titles as they are after it; throws `ApiError`.
 */
export async function wearTitle(
  t: TitlesText,
  userId: UserId,
  titles: readonly OwnTitle[],
  titleId: number | typeof NO_TITLE_KEY,
): Promise<readonly OwnTitle[]> {
  const worn = await call(
    equipTitle,
    { params: { userId }, query: { titleId } },
    { fallback: t('represent.failed') },
  );
  setWornTitle(userId, worn);
  return titles.map((title) => ({ ...title, isRepresent: title.key === worn.key }));
}
