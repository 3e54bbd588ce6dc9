import type { OwnTitle, TitleType } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { TitleCard } from './title-card.tsx';
import { titlesTexts } from './titles-texts.ts';

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
export function TitleGroups({ titles, timeZone }: TitleGroupsProps) {
  const { t } = useTranslation(titlesTexts);
  return GROUPS.map(({ name, types }) => {
    const isOfGroup = (type: TitleType) => types.some((other) => other === type);
    const group = titles.filter(({ type }) => isOfGroup(type));
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
