import {
  type OwnTitle,
  type TitleType,
  titleCatalogue,
  titleFigures,
  toCatalogueTitle,
  type UserId,
} from '@mogakgong/contract';
import type { Loaded } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState, RetryButton } from '../../shared/ui/load-state.tsx';
import { RepresentativeTitle } from './representative-title.tsx';
import { TitleCard } from './title-card.tsx';
import { titlesTexts } from './titles-texts.ts';
import { useOwnTitles } from './use-own-titles.ts';

interface TitlesSectionProps {
  readonly userId: UserId;
  /** Where the learner's days are counted; the browser's zone until it is known. */
  readonly timeZone: string | undefined;
}

/** The representative title and every title with its progress (specification §2, my page). */
export function TitlesSection({ userId, timeZone }: TitlesSectionProps) {
  const titles = useOwnTitles(userId);
  if (titles.error !== null) return <SampleTitles titles={titles} />;
  return (
    <LoadState of={titles}>
      {(value) => (
        <div className="grid gap-8">
          <RepresentativeTitle userId={userId} titles={value} />
          <TitleGroups titles={value} timeZone={timeZone} />
        </div>
      )}
    </LoadState>
  );
}

/** What titles are won for, in the order shown. */
const GROUPS = [
  { name: 'attendance', types: ['first', 'days'] },
  { name: 'hours', types: ['hours'] },
  { name: 'streak', types: ['streak'] },
  { name: 'day', types: ['day'] },
  { name: 'time', types: ['time'] },
] as const satisfies readonly { name: string; types: readonly TitleType[] }[];

interface TitleGroupsProps {
  readonly titles: readonly OwnTitle[];
  readonly timeZone: string | undefined;
}

/** Every title by what it is won for. */
function TitleGroups({ titles, timeZone }: TitleGroupsProps) {
  const { t } = useTranslation(titlesTexts);
  return GROUPS.map(({ name, types }) => {
    const group = titles.filter(({ type }) => types.some((other) => other === type));
    const won = group.filter(({ acquiredAt }) => acquiredAt !== null).length;
    return (
      <section key={name} aria-labelledby={`titles-${name}`} className="grid gap-3">
        <h3 id={`titles-${name}`} className="flex items-baseline gap-2 font-semibold text-small">
          {t(`group.${name}`)}
          <span className="font-normal text-caption text-ink-soft tabular-nums">
            {t('group.count', { won, all: group.length })}
          </span>
        </h3>
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {group.map((title) => (
            <TitleCard key={title.key} title={title} timeZone={timeZone} />
          ))}
        </ul>
      </section>
    );
  });
}

/** How many titles stand in for a list that was not loaded (specification §8). */
const SAMPLE_COUNT = 2;

/** Two samples, marked as such: they must not look real (design §2). */
function SampleTitles({ titles }: { readonly titles: Loaded<readonly OwnTitle[]> }) {
  const { t, language } = useTranslation(titlesTexts);
  const samples = titleCatalogue.slice(0, SAMPLE_COUNT).map((title) => ({
    ...toCatalogueTitle(title, language),
    acquiredAt: null,
    isRepresent: false,
    progress: { unit: titleFigures[title.figure], current: 0, target: title.threshold },
  }));
  return (
    <div className="grid gap-4">
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <p className="text-small">
          <span className="font-semibold">{t('sample.title')}</span>{' '}
          <span className="text-ink-soft">{titles.error}</span>
        </p>
        <RetryButton isLoading={titles.isLoading} onRetry={titles.reload} />
      </div>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {samples.map((title) => (
          <TitleCard key={title.key} title={title} isSample />
        ))}
      </ul>
    </div>
  );
}
