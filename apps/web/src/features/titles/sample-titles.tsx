import { titleCatalogue, titleFigures, toCatalogueTitle } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { TitleCard } from './title-card.tsx';

/** Number of placeholders for a list that was not loaded (specification §8). */
const SAMPLE_COUNT = 2;

export function SampleTitles() {
  const { language } = useTranslation();
  const samples = titleCatalogue.slice(0, SAMPLE_COUNT).map((title) => ({
    ...toCatalogueTitle(title, language),
    acquiredAt: null,
    isRepresent: false,
    progress: { unit: titleFigures[title.figure], current: 0, target: title.threshold },
  }));
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {samples.map((title) => (
        <TitleCard key={title.key} title={title} isSample />
      ))}
    </ul>
  );
}
