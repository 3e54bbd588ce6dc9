import type { OwnTitle, UserId } from '@mogakgong/contract';
import { useState } from 'react';
import type { Loaded } from '../../shared/api/index.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState, RetryButton } from '../../shared/ui/load-state.tsx';
import { OtherTitles } from './other-titles.tsx';
import { RepresentativeTitle } from './representative-title.tsx';
import { SampleTitles } from './sample-titles.tsx';
import { TitleCard } from './title-card.tsx';
import { TitleGroup } from './title-group.tsx';
import { useOwnTitles } from './use-own-titles.ts';
import { useTitleChange } from './use-title-change.ts';

interface TitlesSectionProps {
  readonly userId: UserId;
  /** The time zone of the learner's days; the browser's zone until it is known. */
  readonly timeZone: string | undefined;
}

/** The representative title, won titles and the next ones (specification §2, my page). */
export function TitlesSection({ userId, timeZone }: TitlesSectionProps) {
  const titles = useOwnTitles(userId);
  if (titles.error !== null) return <NotLoaded titles={titles} />;
  return (
    <LoadState of={titles}>
      {(value) => <TitleLists userId={userId} titles={value} timeZone={timeZone} />}
    </LoadState>
  );
}

const NEXT_COUNT = 3;

const share = ({ progress: { current, target } }: OwnTitle) => current / Math.max(1, target);

/** The nearest titles: the first of each kind that is not won yet. */
function nextTitles(titles: readonly OwnTitle[]): readonly OwnTitle[] {
  const open = titles.filter(({ acquiredAt }) => acquiredAt === null);
  const firstOfKind = open.filter(
    ({ type }, index) => open.findIndex((other) => other.type === type) === index,
  );
  return firstOfKind.toSorted((a, b) => share(b) - share(a)).slice(0, NEXT_COUNT);
}

interface TitleListsProps extends TitlesSectionProps {
  readonly titles: readonly OwnTitle[];
}

/** The choice among won titles, and their cards; the next three; the others folded. */
function TitleLists({ userId, titles, timeZone }: TitleListsProps) {
  const { t } = useTranslation(studyTexts);
  const change = useTitleChange(userId, titles);
  const won = titles.filter(({ acquiredAt }) => acquiredAt !== null);
  const next = nextTitles(titles);
  const others = titles.filter((title) => !won.includes(title) && !next.includes(title));
  return (
    <div className="grid gap-8">
      <RepresentativeTitle titles={titles} change={change} />
      {won.length > 0 && (
        <TitleGroup id="won" name={t('group.won')} note={`${won.length} / ${titles.length}`}>
          {won.map((title) => (
            <TitleCard key={title.key} title={title} timeZone={timeZone} />
          ))}
        </TitleGroup>
      )}
      {next.length > 0 && (
        <TitleGroup id="next" name={t('group.next')}>
          {next.map((title) => (
            <TitleCard key={title.key} title={title} />
          ))}
        </TitleGroup>
      )}
      {others.length > 0 && <Folded titles={others} />}
    </div>
  );
}

function Folded({ titles }: { readonly titles: readonly OwnTitle[] }) {
  const { t } = useTranslation(studyTexts);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="gap-6 border-line border-t pt-4 open:grid"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-11 w-fit items-center rounded-small font-semibold text-ink-soft text-small hover:text-ink">
        {t('group.others', { count: titles.length })}
      </summary>
      {isOpen && <OtherTitles titles={titles} />}
    </details>
  );
}

/** Two samples, marked as such: they must not look real (design §2). */
function NotLoaded({ titles }: { readonly titles: Loaded<readonly OwnTitle[]> }) {
  const { t } = useTranslation(studyTexts);
  return (
    <div className="grid gap-4">
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <p className="text-small">
          <span className="font-semibold">{t('sample.title')}</span>{' '}
          <span className="text-ink-soft">{titles.error}</span>
        </p>
        <RetryButton of={[titles]} />
      </div>
      <SampleTitles />
    </div>
  );
}
