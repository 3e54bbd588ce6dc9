import { NO_TITLE_KEY, type WornTitle } from '@mogakgong/contract';
import { Suspense, use } from 'react';
import type { Language } from '../../shared/i18n/language.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { TitleIcon } from './title-icon.tsx';

interface TitleBadgeProps {
  /** Null: without a title the badge shows the prompt to choose one (specification §3). */
  readonly title: WornTitle | null;
  /** Pixels of the drawing; the name takes the size of the text around it. */
  readonly iconSize?: number;
}

/**
 * A learner's title on one line: drawing and name, truncated where there is no room. It inherits size and
 * colour from the text around it, so that it fits a tile as well as the header.
 */
export function TitleBadge({ title, iconSize }: TitleBadgeProps) {
  const { language } = useTranslation();
  const asTold = <Badge title={title} iconSize={iconSize} />;
  // A room sends everybody the Korean name.
  if (language === 'ko' || title === null) return asTold;
  return (
    <Suspense fallback={asTold}>
      <TranslatedBadge title={title} iconSize={iconSize} />
    </Suspense>
  );
}

type NameOf = (title: WornTitle, language: Language) => string;
let loading: Promise<NameOf> | undefined;

/** Downloads the catalogue; if that fails titles keep the names that the server sent. */
function loadNames(): Promise<NameOf> {
  loading ??= import('./title-names.ts').then(
    ({ titleName }) => titleName,
    () => {
      loading = undefined;
      return ({ name }) => name;
    },
  );
  return loading;
}

interface BadgeProps<Title> {
  readonly title: Title;
  readonly iconSize: number | undefined;
}

function TranslatedBadge({ title, iconSize }: BadgeProps<WornTitle>) {
  const { language } = useTranslation();
  const nameOf = use(loadNames());
  return <Badge title={{ ...title, name: nameOf(title, language) }} iconSize={iconSize} />;
}

function Badge({ title, iconSize = 18 }: BadgeProps<WornTitle | null>) {
  const { t } = useTranslation();
  const name = title?.name ?? t('title.none');
  return (
    <span
      data-title={title?.key ?? NO_TITLE_KEY}
      title={name}
      className="inline-flex min-w-0 max-w-full items-center gap-1 align-bottom"
    >
      {title && (
        <span className="shrink-0" style={{ width: iconSize, height: iconSize }}>
          <TitleIcon name={title.icon} size={iconSize} />
        </span>
      )}
      <span className="truncate">{name}</span>
    </span>
  );
}
