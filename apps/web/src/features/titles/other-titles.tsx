import type { OwnTitle, TitleType } from '@mogakgong/contract';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { TitleCard } from './title-card.tsx';
import { TitleGroup } from './title-group.tsx';

/** The criteria of titles, in display order. */
const GROUPS = [
  { name: 'attendance', types: ['first', 'days'] },
  { name: 'hours', types: ['hours'] },
  { name: 'streak', types: ['streak'] },
  { name: 'day', types: ['day'] },
  { name: 'time', types: ['time'] },
] as const satisfies readonly { name: string; types: readonly TitleType[] }[];

/** Titles not yet within reach, by their criteria. */
export function OtherTitles({ titles }: { readonly titles: readonly OwnTitle[] }) {
  const { t } = useTranslation(studyTexts);
  return (
    <div className="grid gap-8 pt-4">
      {GROUPS.map(({ name, types }) => {
        const group = titles.filter(({ type }) => types.some((other) => other === type));
        if (group.length === 0) return null;
        return (
          <TitleGroup key={name} id={name} name={t(`group.${name}`)}>
            {group.map((title) => (
              <TitleCard key={title.key} title={title} />
            ))}
          </TitleGroup>
        );
      })}
    </div>
  );
}
