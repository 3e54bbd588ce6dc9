import {
  equipTitle,
  getOwnTitles,
  type NO_TITLE_KEY,
  type OwnTitle,
  type UserId,
} from '@mogakgong/contract';
import { call, type Loaded } from '../../shared/api/index.ts';
import {
  changeProfile,
  learnerKey,
  noteWonTitle,
  reloadProfile,
  useLearnerChanges,
} from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { type StudyText, studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

type OwnTitles = readonly OwnTitle[];

const titlesKey = (userId: UserId) => [...learnerKey(userId), 'titles'];

/** Every title with the learner's progress. */
export function useOwnTitles(userId: UserId): Loaded<OwnTitles> {
  const { t, language } = useTranslation(studyTexts);
  useLearnerChanges(userId);
  return useLoaded<OwnTitles>([...titlesKey(userId), language], async (signal) => {
    const options = { signal, fallback: t('list.failed') };
    const titles = await call(getOwnTitles, { params: { userId } }, options);
    if (titles.some(({ acquiredAt }) => acquiredAt !== null)) noteWonTitle(userId);
    return titles;
  });
}

/**
 * Sets the learner's representative title, or none, here and for everybody else; throws `ApiError`.
 */
export async function setRepresentativeTitle(
  t: StudyText,
  userId: UserId,
  titleId: number | typeof NO_TITLE_KEY,
): Promise<void> {
  const worn = await call(
    equipTitle,
    { params: { userId }, query: { titleId } },
    { fallback: t('represent.failed') },
  );
  queryClient.setQueriesData<OwnTitles>({ queryKey: titlesKey(userId) }, (titles) =>
    titles?.map((title) => ({ ...title, isRepresent: title.titleId === worn.titleId })),
  );
  // The specification's answer does not tell the key and icon (§3).
  if (worn.key === '') reloadProfile(userId);
  else changeProfile(userId, { selectedTitle: worn });
}
