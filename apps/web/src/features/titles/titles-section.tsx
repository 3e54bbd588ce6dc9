import {
  type OwnTitle,
  titleCatalogue,
  titleFigures,
  toCatalogueTitle,
  type UserId,
} from '@mogakgong/contract';
import { RotateCw } from 'lucide-react';
import type { Language } from '../../shared/i18n/language.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { RepresentativeTitle } from './representative-title.tsx';
import { TitleCard } from './title-card.tsx';
import { TitleGroups } from './title-groups.tsx';
import { useTitlesText } from './titles-texts.ts';
import { useOwnTitles } from './use-own-titles.ts';

/** The representative title and every title with its progress (specification §2, my page). */
export function TitlesSection({ userId }: { readonly userId: UserId }) {
  const { t: common } = useTranslation();
  const titles = useOwnTitles(userId);
  if (titles.value !== null) {
    return (
      <div className="grid gap-8">
        <RepresentativeTitle userId={userId} titles={titles.value} onChange={titles.replace} />
        <TitleGroups titles={titles.value} />
      </div>
    );
  }
  if (titles.isLoading) {
    return (
      <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-ink-soft">
        <Spinner />
        {common('common.loading')}
      </p>
    );
  }
  return <SampleTitles error={titles.error} onRetry={titles.reload} />;
}

/** How many titles stand in for a list that was not loaded (specification §8). */
const SAMPLE_COUNT = 2;

function sampleTitles(language: Language): OwnTitle[] {
  return titleCatalogue.slice(0, SAMPLE_COUNT).map((title) => ({
    ...toCatalogueTitle(title, language),
    acquiredAt: null,
    isRepresent: false,
    progress: { unit: titleFigures[title.figure], current: 0, target: title.threshold },
  }));
}

interface SampleTitlesProps {
  readonly error: string | null;
  readonly onRetry: () => void;
}

/** Two samples, marked as such: they must not look real (design §2). */
function SampleTitles({ error, onRetry }: SampleTitlesProps) {
  const t = useTitlesText();
  const { t: common, language } = useTranslation();
  return (
    <div className="grid gap-4">
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <p className="text-small">
          <span className="font-semibold">{t('sample.title')}</span>{' '}
          <span className="text-ink-soft">{error}</span>
        </p>
        <Button size="small" icon={<RotateCw size={16} aria-hidden="true" />} onClick={onRetry}>
          {common('common.retry')}
        </Button>
      </div>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {sampleTitles(language).map((title) => (
          <TitleCard key={title.key} title={title} isSample />
        ))}
      </ul>
    </div>
  );
}
